# SPDX-License-Identifier: GPL-2.0-or-later
"""Signatures of disks: {name in libblkid: function of the disk's size that returns [(offset,
bytes)]}."""
import struct
import zlib


def dos(size):
    entry = struct.pack("<B3sB3sII", 0, b"", 0x83, b"", 2048, size // 512 - 2048)
    return [(446, entry), (510, b"\x55\xaa")]


def gpt(size):
    """Makes a GPT without its protective MBR, as if only the first sector was wiped."""
    last = size // 512 - 1
    entries = struct.pack("<16s16sQQQ72s", b"\xaf\x3d\xc6\x0f" + bytes(12), b"u" * 16,
                          2048, last - 100, 0, b"").ljust(128 * 128, b"\0")

    def header(here, other, table):
        def pack(crc):
            return struct.pack("<8sIIIIQQQQ16sQIII", b"EFI PART", 0x10000, 92, crc, 0,
                               here, other, 34, last - 34, b"d" * 16, table, 128, 128,
                               zlib.crc32(entries))
        return pack(zlib.crc32(pack(0)))

    return [(512, header(1, last, 2)), (1024, entries),
            ((last - 32) * 512, entries), (last * 512, header(last, 1, last - 32))]


def lvm(size):
    body = struct.pack("<I8s32s", 32, b"LVM2 001", b"a" * 32).ljust(512 - 20, b"\0")
    crc = zlib.crc32(body, 0xf597a6cf ^ 0xffffffff) ^ 0xffffffff
    return [(512, struct.pack("<8sQI", b"LABELONE", 1, crc) + body)]


def md(size):
    block = bytearray(256)
    struct.pack_into("<II", block, 0, 0xa92b4efc, 1)
    block[16:32] = b"m" * 16
    struct.pack_into("<Q", block, 128, 2048)  # data_offset, in sectors
    struct.pack_into("<Q", block, 136, size // 512 - 2048)
    struct.pack_into("<Q", block, 144, 8)  # super_offset, in sectors
    total = sum(struct.unpack("<64I", block))
    total = (total & 0xffffffff) + (total >> 32)
    struct.pack_into("<I", block, 216, total & 0xffffffff)
    return [(4096, bytes(block))]


def zfs(size):
    one = struct.pack("<QQQQQ", 0x00bab10c, 5000, 1, 2, 3)
    return [(128 * 1024 + i * 1024, one) for i in range(32)]


def bcache(size):
    block = struct.pack("<QQQ16s16s", 0, 8, 1,
                        bytes.fromhex("c68573f64e1a45ca8265f57f48ba6d81"), b"b" * 16)
    return [(4096, block.ljust(256, b"\0"))]


def luks(size):
    return [(0, b"LUKS\xba\xbe\0\1")]


BY_NAME = {"dos": dos, "gpt": gpt, "LVM2_member": lvm, "linux_raid_member": md,
           "zfs_member": zfs, "bcache": bcache, "crypto_LUKS": luks}


def write(path, name, size):
    with open(path, "r+b") as disk:
        for offset, data in BY_NAME[name](size):
            disk.seek(offset)
            disk.write(data)
