import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type EgressPolicy,
  EgressRefused,
  parseAllowHosts,
  publicOnly
} from "../../../src/domain/webhook/EgressPolicy.ts"
import { checkUrl, maxEgressUrlLength } from "../../../src/domain/webhook/EgressUrl.ts"

const reasonOf = (text: string, policy: EgressPolicy = publicOnly): string | null => {
  const url = checkUrl(text, policy)
  return url instanceof EgressRefused ? url.reason : null
}

/** Attempts to make this server call a forbidden target. None of them may succeed. */
const tricks: Readonly<Record<string, ReadonlyArray<string>>> = {
  "loopback, written plainly": [
    "https://127.0.0.1/",
    "https://127.255.255.254/",
    "https://[::1]/",
    "https://localhost/"
  ],
  "loopback, written oddly": [
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.0.0.01/",
    "https://00000127.0.0.1/",
    "https://127.0.0.1./",
    "https://4294967296/",
    "https://0X7F000001/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[0000::0001]/",
    "https://[::0.0.0.1]/"
  ],
  "this host": ["https://0/", "https://0.0.0.0/", "https://[::]/", "https://0x0/", "https://00/", "https://[0::0]/"],
  "private networks": [
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://[fc00::1]/",
    "https://[fd12:3456:789a::1]/",
    "https://[fe80::1]/",
    "https://[fec0::1]/"
  ],
  "IPv4 inside IPv6": [
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::FFFF:7F00:0001]/",
    "https://[0:0:0:0:0:ffff:10.0.0.1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::127.0.0.1]/",
    "https://[::7f00:1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:a9fe:a9fe::1]/",
    "https://[2001:0:5ef5:79fd:0:59d:a0e5:ba1]/"
  ],
  "zones and broken brackets": [
    "https://[fe80::1%25eth0]/",
    "https://[fe80::1%eth0]/",
    "https://[::1%250]/",
    "https://[127.0.0.1]/",
    "https://[::1/",
    "https://::1/",
    "https://[::1]x/",
    "https://[]/"
  ],
  "metadata of clouds": [
    "https://169.254.169.254/latest/meta-data/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://metadata/",
    "https://instance-data/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://168.63.129.16/",
    "https://[fd00:ec2::254]/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://169.254.43518/"
  ],
  "set apart by IANA": [
    "https://192.0.2.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://192.88.99.1/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[ff02::1]/",
    "https://[100::1]/"
  ],
  "names of inside": [
    "https://LOCALHOST/",
    "https://api.localhost/",
    "https://printer.local/",
    "https://vault.internal/",
    "https://router.lan/",
    "https://router.home.arpa/",
    "https://1.0.0.127.in-addr.arpa/",
    "https://wiki.corp/",
    "https://intranet/",
    "https://redis/",
    "https://kubernetes.default.svc/",
    "https://kubernetes.default.svc.cluster.local/",
    "https://consul.service.consul/",
    "https://facebookwkhpilnemxj7asaniu7vnjjbiltxjqhye3mhbshg7kx5tfyd.onion/",
    "https://localhost.localdomain/"
  ],
  "trailing dots": [
    "https://localhost./",
    "https://example.com./",
    "https://127.0.0.1./",
    "https://metadata.google.internal./",
    "https://./"
  ],
  "percent-encoding and Unicode in hosts": [
    "https://%31%32%37.0.0.1/",
    "https://127%2e0%2e0%2e1/",
    "https://loc%61lhost/",
    "https://example.com%2f@localhost/",
    "https://\u2460\u2461\u2466.0.0.1/",
    "https://127\u30020\u30020\u30021/",
    "https://127\uff0e0\uff0e0\uff0e1/",
    "https://\uff11\uff12\uff17.0.0.1/",
    "https://\u0661\u0662\u0667.0.0.1/",
    "https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/",
    "https://local\u212aost/",
    "https://exa\u00admple.com/",
    "https://example\u200b.com/",
    "https://m\u00fcnchen.example.com/"
  ],
  "user-info": [
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com:443@127.0.0.1/",
    "https://:@example.com/",
    "https://a@b@example.com/"
  ],
  "what two readers read differently": [
    "https://example.com\\@127.0.0.1/",
    "https://example.com\\.internal/",
    "https:\\\\127.0.0.1\\",
    "https:/127.0.0.1/",
    "https:127.0.0.1",
    "https:///127.0.0.1/",
    "//127.0.0.1/",
    "https://example.com /",
    " https://example.com/",
    "https://example.com/\r\nHost: internal",
    "https://exam\tple.com/",
    "https://example.com\u0000.internal/",
    "https://example..com/",
    "https://.example.com/",
    "https://-example.com/",
    "https://exa mple.com/",
    "https://example.com/a b",
    "https://example.com/%zz",
    "https://example.com/\u00e4",
    "https://example.com/#fragment",
    "https://example.com#@127.0.0.1/"
  ],
  "other protocols": [
    "http://example.com/",
    "http://127.0.0.1/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "javascript:alert(1)",
    "data:text/plain,hi",
    "wss://example.com/",
    "unix:///var/run/docker.sock",
    "example.com",
    ""
  ],
  "other ports": [
    "https://example.com:80/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:0/",
    "https://example.com:65536/",
    "https://example.com:99999/",
    "https://example.com:/",
    "https://example.com:-1/",
    "https://example.com:0443/",
    "https://example.com:4e3/",
    "https://example.com:6667/",
    "https://example.com:2049/",
    "https://example.com:443:443/"
  ],
  "what is too long": [
    `https://example.com/${"a".repeat(maxEgressUrlLength)}`,
    `https://${"a".repeat(64)}.com/`,
    `https://${"a.".repeat(130)}com/`
  ]
}

const good: ReadonlyArray<string> = [
  "https://example.com",
  "https://example.com/",
  "https://hooks.example.com/services/T000/B000/XXX?a=1&b=%20#".slice(0, -1),
  "HTTPS://Hooks.Example.COM/Path",
  "https://example.com:443/",
  "https://example.com:8443/in",
  "https://example.com:3000/",
  "https://example.com:65535/",
  "https://example.com?token=abc",
  "https://xn--mnchen-3ya.example.com/",
  "https://xn--p1ai.xn--p1ai/",
  "https://my_app.herokuapp.com/",
  "https://a-b-c.example.co.uk/",
  "https://1.example.com/",
  "https://123.com/",
  "https://0x7f.example.com/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://8.8.8.8/",
  "https://1.1.1.1:8443/",
  "https://[2606:4700:4700::1111]/",
  "https://[2A00:1450:4001:0830:0:0:0:200e]:8443/",
  "https://[64:ff9b::8.8.8.8]/",
  "https://example.com/a/../b/./c;d=1,2/(x)'!*~",
  "https://example.com/@user/[x]",
  "https://webhook.site/2c8b1d0e-0000-4000-8000-000000000000"
]

describe("a tenant's URL", () => {
  for (const [kind, urls] of Object.entries(tricks)) {
    it(`is rejected with a reason: ${kind}`, () => {
      const called = urls.filter((text) => (reasonOf(text) ?? "").length < 10)
      expect(called).toEqual([])
    })
  }

  it("is accepted for a receiver on the internet", () => {
    expect(good.flatMap((text) => reasonOf(text) ?? [])).toEqual([])
  })

  it("is returned in parts, with a lower-case host and canonical addresses", () => {
    expect(checkUrl("HTTPS://Hooks.Example.COM:443?A=b", publicOnly)).toEqual({
      href: "https://hooks.example.com/?A=b",
      secure: true,
      host: "hooks.example.com",
      port: 443,
      path: "/?A=b",
      allowed: false
    })
    expect(checkUrl("https://[2A00:1450:4001:0830:0:0:0:200e]:8443/x", publicOnly)).toMatchObject({
      href: "https://[2a00:1450:4001:830::200e]:8443/x",
      host: "2a00:1450:4001:830::200e",
      port: 8443
    })
  })

  it("is parsed like by every other parser", () => {
    const pieces = [
      "https://",
      "http:",
      "/",
      "\\",
      "@",
      ":",
      "443",
      "8443",
      "example.com",
      "127.0.0.1",
      "[::1]",
      "[2a00::1]"
    ]
    const odd = ["%2e", ".", "..", "#", "?", "0x7f", "1", "a", "A", "\u3002", "\t", " ", "xn--a", "_", "-", "localhost"]
    const any = fc
      .array(fc.constantFrom(...pieces, ...odd), { maxLength: 8 })
      .map((parts) => `https://${parts.join("")}`)
    let read = 0
    fc.assert(
      fc.property(fc.oneof(any, fc.webUrl({ validSchemes: ["https"], withQueryParameters: true })), (text) => {
        const url = checkUrl(text, publicOnly)
        if (url instanceof EgressRefused) return
        read++
        const other = new URL(text)
        expect(other.hostname.replace(/^\[|\]$/gu, "")).toBe(url.host)
        expect(Number(other.port === "" ? 443 : other.port)).toBe(url.port)
        expect([other.username, other.password, other.hash]).toEqual(["", "", ""])
        expect(new URL(url.href).href).toBe(other.href)
      }),
      { numRuns: 2_000 }
    )
    expect(read).toBeGreaterThan(400)
  })

  it("never reveals a password in the reason", () => {
    const reason = reasonOf("https://user:hunter2@example.com/")
    expect(reason).toContain("user or password")
    expect(reason).not.toContain("hunter2")
  })
})

describe("an allowed host of the operator", () => {
  const { hosts, mistakes } = parseAllowHosts("receiver:8080, 10.0.0.5:9000,[FD00:0::1]:80,Localhost:443")
  const policy: EgressPolicy = { allowHosts: hosts }

  it("may be internal, on any port, over plain HTTP", () => {
    expect(mistakes).toEqual([])
    for (const text of [
      "http://receiver:8080/in",
      "https://receiver:8080/in",
      "http://10.0.0.5:9000",
      "http://[fd00::1]/",
      "http://[fd00:0:0::1]:80/",
      "https://localhost/"
    ]) {
      expect(checkUrl(text, policy)).toMatchObject({ allowed: true })
    }
  })

  it("permits only its own port and host, and no unusual notation of them", () => {
    for (const text of [
      "http://receiver/",
      "http://receiver:8081/",
      "http://receiver.example.com:8080/",
      "http://localhost/",
      "http://10.0.0.6:9000/",
      "http://167772165:9000/",
      "http://010.0.0.5:9000/",
      "http://user@receiver:8080/",
      "http://receiver:8080/#x",
      "http://receiver.:8080/",
      "ftp://receiver:8080/"
    ]) {
      expect({ text, reason: reasonOf(text, policy) }).toEqual({ text, reason: expect.any(String) })
    }
  })

  it("does not change the rules for other hosts", () => {
    expect(checkUrl("https://example.com/", policy)).toMatchObject({ allowed: false })
    expect(reasonOf("http://example.com/", policy)).toContain("https")
  })

  it("is validated entry by entry", () => {
    const wrong = [
      "receiver",
      "http://receiver:8080",
      "receiver:0",
      "receiver:99999",
      "*.x.com:1",
      "::1:80",
      "[::1]",
      "a b:1"
    ]
    const read = parseAllowHosts(`fine:1,${wrong.join(",")},,`)
    expect(read.hosts).toEqual([{ host: "fine", port: 1 }])
    expect(read.mistakes).toHaveLength(wrong.length)
    for (const [index, entry] of wrong.entries()) expect(read.mistakes[index]).toContain(`"${entry}"`)
    expect(parseAllowHosts("")).toEqual({ hosts: [], mistakes: [] })
  })
})
