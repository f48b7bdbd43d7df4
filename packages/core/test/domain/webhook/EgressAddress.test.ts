import { BlockList, isIPv4, isIPv6 } from "node:net"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addressBytes, addressText, isPublicAddress } from "../../../src/domain/webhook/EgressAddress.ts"

const anyBytes = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
  // Consecutive zeros abbreviate an address.
  fc.array(fc.constantFrom(0, 0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 })
)

/** Near misses of addresses, and some valid ones. */
const nearlyAddress = fc
  .array(fc.constantFrom("0", "1", "f", "ffff", "255", "256", "01", ":", "::", ".", "127.0.0.1", "%1", "g", "0x1"), {
    maxLength: 12
  })
  .map((parts) => parts.join(""))

describe("an address", () => {
  it("is accepted exactly when Node.js accepts it, except for zones", () => {
    const agrees = (text: string): void => {
      const read = isIPv4(text) || (isIPv6(text) && !text.includes("%"))
      expect({ text, read: addressBytes(text) !== null }).toEqual({ text, read })
    }
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), nearlyAddress), agrees), { numRuns: 2_000 })
  })

  it("is formatted like in the URL standard, and parses to the same bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = addressText(Array.from(bytes))
        expect(addressBytes(text)).toEqual(Array.from(bytes))
        const host = bytes.length === 4 ? text : `[${text}]`
        expect(new URL(`http://${host}/`).hostname).toBe(host)
      }),
      { numRuns: 2_000 }
    )
  })

  it("is parsed in every notation", () => {
    for (const text of ["2001:db8::1", "2001:0db8:0:0:0:0:0:1", "2001:DB8:0::1", "2001:db8::0.0.0.1"]) {
      expect(addressText(addressBytes(text) ?? [])).toBe("2001:db8::1")
    }
  })
})

/** The first and last address of each block, and the adjacent addresses. */
const edges: ReadonlyArray<readonly [block: string, inside: ReadonlyArray<string>, outside: ReadonlyArray<string>]> = [
  ["0.0.0.0/8", ["0.0.0.0", "0.255.255.255"], ["1.0.0.0"]],
  ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]],
  ["100.64.0.0/10", ["100.64.0.0", "100.100.100.200", "100.127.255.255"], ["100.63.255.255", "100.128.0.0"]],
  ["127.0.0.0/8", ["127.0.0.0", "127.255.255.255"], ["126.255.255.255", "128.0.0.0"]],
  ["168.63.129.16/32", ["168.63.129.16"], ["168.63.129.15", "168.63.129.17"]],
  ["169.254.0.0/16", ["169.254.0.0", "169.254.169.254", "169.254.255.255"], ["169.253.255.255", "169.255.0.0"]],
  ["172.16.0.0/12", ["172.16.0.0", "172.31.255.255"], ["172.15.255.255", "172.32.0.0"]],
  ["192.0.0.0/24", ["192.0.0.0", "192.0.0.192", "192.0.0.255"], ["191.255.255.255", "192.0.1.0"]],
  ["192.0.2.0/24", ["192.0.2.0", "192.0.2.255"], ["192.0.1.255", "192.0.3.0"]],
  ["192.31.196.0/24", ["192.31.196.0", "192.31.196.255"], ["192.31.195.255", "192.31.197.0"]],
  ["192.52.193.0/24", ["192.52.193.0", "192.52.193.255"], ["192.52.192.255", "192.52.194.0"]],
  ["192.88.99.0/24", ["192.88.99.0", "192.88.99.255"], ["192.88.98.255", "192.88.100.0"]],
  ["192.168.0.0/16", ["192.168.0.0", "192.168.255.255"], ["192.167.255.255", "192.169.0.0"]],
  ["192.175.48.0/24", ["192.175.48.0", "192.175.48.255"], ["192.175.47.255", "192.175.49.0"]],
  ["198.18.0.0/15", ["198.18.0.0", "198.19.255.255"], ["198.17.255.255", "198.20.0.0"]],
  ["198.51.100.0/24", ["198.51.100.0", "198.51.100.255"], ["198.51.99.255", "198.51.101.0"]],
  ["203.0.113.0/24", ["203.0.113.0", "203.0.113.255"], ["203.0.112.255", "203.0.114.0"]],
  ["224.0.0.0/3", ["224.0.0.0", "240.0.0.0", "255.255.255.255"], ["223.255.255.255"]],
  ["2001::/23", ["2001::", "2001:0:7f00:1::", "2001:1ff:ffff::1"], ["2001:200::"]],
  ["2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db7:ffff::1", "2001:db9::"]],
  ["2002::/16", ["2002::", "2002:7f00:1::1", "2002:ffff::1"], ["2001:ffff::1", "2003::"]],
  ["2620:4f:8000::/48", ["2620:4f:8000::1", "2620:4f:8000:ffff::1"], ["2620:4f:7fff::1", "2620:4f:8001::1"]],
  ["3ffe::/16", ["3ffe::1", "3ffe:ffff::1"], ["3ffd:ffff::1"]],
  ["3fff::/20", ["3fff::1", "3fff:fff::1"], ["3fff:1000::1"]],
  ["::/3", ["::", "::1", "::ffff:8.8.8.8", "::8.8.8.8", "100::1", "1fff:ffff::1"], ["2000::"]],
  ["4000::/2", ["4000::", "5f00::1", "7fff:ffff::1"], []],
  ["8000::/1", ["fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "8000::"], ["3fff:ffff::1"]],
  ["64:ff9b:1::/48", ["64:ff9b:1::1", "64:ff9b:1::8.8.8.8"], []]
]

describe("a public address", () => {
  for (const [block, inside, outside] of edges) {
    it(`is never in ${block}, but may be the address before or after it`, () => {
      expect(inside.filter(isPublicAddress)).toEqual([])
      expect(outside.filter((each) => !isPublicAddress(each))).toEqual([])
    })
  }

  it("behind NAT64 is public when its IPv4 address is", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        expect(isPublicAddress(`64:ff9b::${ipv4}`)).toBe(isPublicAddress(ipv4))
      })
    )
    expect(isPublicAddress("64:ff9b::127.0.0.1")).toBe(false)
    expect(isPublicAddress("64:ff9b::a9fe:a9fe")).toBe(false)
  })

  it("is in no block of the table, according to Node.js", () => {
    // One list per family, because a BlockList compares IPv4 and IPv6 as mapped addresses.
    const closed = { ipv4: new BlockList(), ipv6: new BlockList() }
    const familyOf = (text: string) => (text.includes(":") ? "ipv6" : "ipv4")
    for (const [block] of edges) {
      const [base = "", bits] = block.split("/")
      closed[familyOf(base)].addSubnet(base, Number(bits), familyOf(base))
    }
    const any = fc.oneof(
      fc.ipV4(),
      fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => {
        // Half of the addresses are from the assigned range.
        if ((bytes[1] ?? 0) % 2 === 0) bytes[0] = 0x20 | ((bytes[0] ?? 0) & 0x1f)
        return addressText(Array.from(bytes))
      })
    )
    fc.assert(
      fc.property(any, (text) => {
        const open = !closed[familyOf(text)].check(text, familyOf(text))
        expect({ text, open: isPublicAddress(text) }).toEqual({ text, open })
      }),
      { numRuns: 3_000 }
    )
  })

  it("rejects text that is not an address", () => {
    for (const text of [
      "",
      "example.com",
      "8.8.8",
      "8.8.8.8.8",
      "010.1.1.1",
      "0x8.8.8.8",
      "134744072",
      "::ffff:0:0:0:0:0:0:0:1"
    ])
      expect(isPublicAddress(text)).toBe(false)
  })
})
