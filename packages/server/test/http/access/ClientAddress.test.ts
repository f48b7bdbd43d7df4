import { describe, expect, it } from "vitest"
import {
  clientAddress,
  plainAddress,
  proxyMistake,
  trustedProxies
} from "../../../src/http/middleware/ClientAddress.ts"

const isTrusted = trustedProxies(["10.0.0.0/8", "192.0.2.7", "fd00::/8", "::1"])
const nobody = trustedProxies([])

describe("the client's address", () => {
  it.each([
    ["an untrusted peer sends any address", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
    ["an untrusted peer claims to be a proxy", "203.0.113.9", "1.2.3.4, 10.0.0.1", "203.0.113.9"],
    ["a proxy appends its caller", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a client has forged the beginning", "10.0.0.1", "127.0.0.1, 10.9.9.9, 203.0.113.9", "203.0.113.9"],
    ["two proxies forward the request", "192.0.2.7", "1.2.3.4, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["the client is a trusted address", "10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["the header is missing", "10.0.0.1", undefined, "10.0.0.1"],
    ["the header is empty", "10.0.0.1", "", "10.0.0.1"],
    ["the last entry is invalid", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["an invalid entry precedes a proxy", "10.0.0.1", "<script>, 10.0.0.2", "10.0.0.2"],
    ["invalid entries precede the client", "10.0.0.1", "\u0000,,, , 203.0.113.9", "203.0.113.9"],
    ["entries have ports", "10.0.0.1", "1.2.3.4, 203.0.113.9:51234", "203.0.113.9"],
    ["addresses are IPv6", "fd00::1", "2001:DB8:0::0:1", "2001:db8::1"],
    ["IPv6 has brackets", "::1", '"[2001:db8::1]:443"', "2001:db8::1"],
    ["IPv4 is mapped to IPv6", "::ffff:10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
    ["IPv4 is mapped to IPv6 in hexadecimal", "::ffff:a00:1", "::FFFF:cb00:7109", "203.0.113.9"],
    ["numbers are octal", "10.0.0.1", "010.0.0.1", "10.0.0.1"],
    ["an address has a zone", "fd00::1%eth0", "fe80::1%eth0", "fe80::1"]
  ])("is correct if %s", (_, peer, forwarded, client) => {
    expect(clientAddress(peer, forwarded, isTrusted)).toBe(client)
  })

  it("is the peer's address if no proxy is trusted", () => {
    expect(clientAddress("127.0.0.1", "203.0.113.9", nobody)).toBe("127.0.0.1")
    expect(clientAddress("unknown", "203.0.113.9", isTrusted)).toBe("unknown")
  })

  it("is found in a header of any length", () => {
    const long = `${"1.2.3.4,".repeat(100_000)}203.0.113.9`
    expect(clientAddress("10.0.0.1", long, isTrusted)).toBe("203.0.113.9")
  })
})

describe("an address", () => {
  it.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "300.1.1.1",
    "0x7f.1",
    "::1::",
    "[::1",
    "[1.2.3.4:80",
    "host",
    "1.2.3.4:99999999"
  ])("cannot be %j", (text) => expect(plainAddress(text)).toBeNull())
})

describe("a list of proxies", () => {
  it("accepts addresses and networks, and reports invalid entries", () => {
    expect(["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"].map(proxyMistake)).toEqual([null, null, null, null])
    const wrong = ["proxy.local", "10.0.0.0/33", "10.0.0.0/x", "::/129", "1.2.3.4/8/8", "[::1]", "10.0.0.1:80", "/8"]
    expect(wrong.filter((entry) => proxyMistake(entry) === null)).toEqual([])
    expect(proxyMistake("0.0.0.0/0")).toContain("contains all addresses")
    expect(proxyMistake("::/0")).toContain("contains all addresses")
  })
})
