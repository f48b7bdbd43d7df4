import { Egress, EgressFailed } from "@leadloom/core/internal/port/system/Egress"
import { inMemoryEgress } from "@leadloom/testkit/memory/Egress"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { discoverServers } from "../../../src/imap/discovery/DiscoverServers.ts"
import type { MailDns } from "../../../src/imap/discovery/MailDns.ts"

const autoconfig = (host: string, incoming = "SSL"): string => `<?xml version="1.0"?>
<!DOCTYPE clientConfig [<!ENTITY host "evil.example">]>
<clientConfig version="1.1"><emailProvider id="acme.com">
  <incomingServer type="pop3"><hostname>pop.${host}</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
  <incomingServer type="imap"><hostname>plain.${host}</hostname><port>143</port><socketType>plain</socketType></incomingServer>
  <incomingServer type="imap"><hostname>IMAP.${host}</hostname><port>993</port><socketType>${incoming}</socketType>
    <username>%EMAILLOCALPART%</username></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.${host}</hostname><port>587</port><socketType>STARTTLS</socketType></outgoingServer>
</emailProvider></clientConfig>`

const none: MailDns = {
  srv: () => Promise.reject(new Error("ENODATA")),
  mx: () => Promise.reject(new Error("ENODATA")),
  cname: () => Promise.reject(new Error("ENODATA"))
}

const failed = new EgressFailed({ kind: "dns", reason: "no such host", millis: 1 })

/** Returns the services of a world with these files and DNS records, and the requested URLs. */
const world = (files: Readonly<Record<string, string>>, dns: Partial<MailDns> = {}, status = 200) => {
  const requested: Array<string> = []
  const limits = new Set<string>()
  const egress = inMemoryEgress(({ maxResponseBytes, timeoutMillis, url }) => {
    requested.push(url)
    limits.add(`${maxResponseBytes} bytes, ${timeoutMillis} ms`)
    const file = Object.entries(files).find(([start]) => url.startsWith(start))?.[1]
    if (file === undefined) return Effect.fail(failed)
    return Effect.succeed({ status, headers: {}, body: new TextEncoder().encode(file), millis: 1 })
  })
  const search = (email: string) =>
    Effect.flatMap(Egress, (service) => discoverServers(email, { egress: service, dns: { ...none, ...dns } })).pipe(
      Effect.provide(egress)
    )
  return { limits, requested, discover: (email: string) => Effect.runPromise(search(email)), search }
}

const srvOf = (records: Readonly<Record<string, ReadonlyArray<readonly [string, number, number?]>>>) => ({
  srv: async (name: string) =>
    (records[name] ?? []).map(([host, port, priority = 0]) => ({ name: host, port, priority, weight: 0 }))
})

describe("the search for the servers of an address", () => {
  it.each([
    ["jo@gmail.com", "imap.gmail.com", "jo@gmail.com"],
    ["jo@icloud.com", "imap.mail.me.com", "jo@icloud.com"],
    ["jo@web.de", "imap.web.de", "jo@web.de"],
    ["jo@zoho.com", "imap.zoho.com", "jo@zoho.com"],
    ["jo@acme.onmicrosoft.com", "outlook.office365.com", "jo@acme.onmicrosoft.com"]
  ])("knows the provider of %s without a request", async (email, host, username) => {
    const { discover, requested } = world({})
    expect(await discover(email)).toMatchObject({ imap: { host, port: 993, security: "tls" }, username })
    expect(requested).toEqual([])
  })

  it("reads the autoconfig file of the domain, and ignores servers without encryption", async () => {
    const { discover } = world({ "https://autoconfig.acme.com/mail/config-v1.1.xml": autoconfig("acme.com") })
    expect(await discover("jo@acme.com")).toEqual({
      imap: { host: "imap.acme.com", port: 993, security: "tls" },
      smtp: { host: "smtp.acme.com", port: 587, security: "starttls" },
      username: "jo",
      origin: "autoconfig file of acme.com"
    })
  })

  it("expands no entities and reads no file without an encrypted IMAP server", async () => {
    const well = "https://acme.com/.well-known/autoconfig/mail/config-v1.1.xml"
    expect(await world({ [well]: autoconfig("&host;") }).discover("jo@acme.com")).toBeNull()
    expect(await world({ [well]: autoconfig("&#97;cme.com") }).discover("jo@acme.com")).toBeNull()
    expect(await world({ [well]: autoconfig("acme.com", "plain") }).discover("jo@acme.com")).toBeNull()
    expect(await world({ [well]: "<".repeat(60_000) }).discover("jo@acme.com")).toBeNull()
    expect(await world({ [well]: "<a>".repeat(20_000) }).discover("jo@acme.com")).toBeNull()
  })

  it("reads the first 2,000 elements, 500 characters of a text and 64 KiB of a file, and no error page", async () => {
    const url = "https://autoconfig.acme.com/"
    const [start = "", end = ""] = autoconfig("acme.com").split('<emailProvider id="acme.com">')
    const padded = (count: number) => `${start}${"<a/>".repeat(count)}<emailProvider id="acme.com">${end}`
    expect(await world({ [url]: padded(1_000) }).discover("jo@acme.com")).toMatchObject({ username: "jo" })
    expect(await world({ [url]: padded(2_500) }).discover("jo@acme.com")).toBeNull()
    const long = autoconfig("acme.com").replace("%EMAILLOCALPART%", `${"u".repeat(500)}<!-- -->more`)
    expect(await world({ [url]: long }).discover("jo@acme.com")).toMatchObject({ username: "u".repeat(500) })
    const broken = world({ [url]: autoconfig("acme.com") }, {}, 404)
    expect(await broken.discover("jo@acme.com")).toBeNull()
    expect([...broken.limits]).toEqual(["65536 bytes, 8000 ms"])
  })

  it("requests each file once, with the address in its encoded form", async () => {
    const { discover, requested } = world({}, { mx: async () => ["mx1.mail.acme.com"] })
    expect(await discover("jo+shop&co@acme.com")).toBeNull()
    expect(requested.toSorted()).toEqual([
      "https://acme.com/.well-known/autoconfig/mail/config-v1.1.xml",
      "https://autoconfig.acme.com/mail/config-v1.1.xml?emailaddress=jo%2Bshop%26co%40acme.com",
      "https://autoconfig.thunderbird.net/v1.1/acme.com"
    ])
  })

  it("prefers the sources in the order of their authority", async () => {
    const hostOf = async (found: ReturnType<typeof world>) => (await found.discover("jo@acme.com"))?.imap.host
    const own = { "https://autoconfig.acme.com/": autoconfig("first.acme.com") }
    const well = { "https://acme.com/.well-known/": autoconfig("second.acme.com") }
    expect(await hostOf(world({ ...own, ...well }))).toBe("imap.first.acme.com")
    expect(await hostOf(world(well))).toBe("imap.second.acme.com")
    const database = { "https://autoconfig.thunderbird.net/v1.1/acme.com": autoconfig("database.example") }
    const microsoft = { cname: async () => ["autodiscover.outlook.com"] }
    expect(await hostOf(world(database, { ...microsoft, mx: async () => ["mx.zoho.com"] }))).toBe("imappro.zoho.com")
    expect(await hostOf(world(database, microsoft))).toBe("imap.database.example")
    expect(await hostOf(world({}, microsoft))).toBe("outlook.office365.com")
    // A CNAME to another host does not mean Microsoft 365.
    expect(await world({}, { cname: async () => ["autodiscover.hoster.net"] }).discover("jo@acme.com")).toBeNull()
  })

  it("uses STARTTLS where the SRV records offer nothing else", async () => {
    const weak: Parameters<typeof srvOf>[0] = {
      "_imap._tcp.acme.com": [["imap.acme.com", 143]],
      "_submission._tcp.acme.com": [["smtp.acme.com", 587]]
    }
    const starttls = world({}, srvOf(weak))
    expect(await starttls.discover("jo@acme.com")).toMatchObject({
      imap: { host: "imap.acme.com", port: 143, security: "starttls" },
      smtp: { host: "smtp.acme.com", port: 587, security: "starttls" }
    })
    const both = world({}, srvOf({ ...weak, "_submissions._tcp.acme.com": [["smtps.acme.com", 465]] }))
    expect(await both.discover("jo@acme.com")).toMatchObject({ smtp: { host: "smtps.acme.com", security: "tls" } })
  })

  it("prefers implicit TLS in SRV records, then the lowest priority", async () => {
    const { discover } = world(
      {},
      srvOf({
        "_imaps._tcp.acme.com": [
          ["second.acme.com", 993, 20],
          ["first.acme.com.", 993, 10]
        ],
        "_imap._tcp.acme.com": [["plain.acme.com", 143]],
        "_submission._tcp.acme.com": [["smtp.acme.com", 587]]
      })
    )
    expect(await discover("jo@acme.com")).toEqual({
      imap: { host: "first.acme.com", port: 993, security: "tls" },
      smtp: { host: "smtp.acme.com", port: 587, security: "starttls" },
      username: "jo@acme.com",
      origin: "DNS SRV records of acme.com (RFC 6186)"
    })
  })

  it("prefers the highest weight among SRV records of one priority, and ignores invalid ones", async () => {
    const record = (name: string, weight: number, port = 993) => ({ name, port, priority: 0, weight })
    const dns = (records: ReadonlyArray<ReturnType<typeof record>>): Partial<MailDns> => ({
      srv: async (name) =>
        name === "_imaps._tcp.acme.com"
          ? records
          : name === "_submissions._tcp.acme.com"
            ? [record("smtp.acme.com", 0, 465)]
            : []
    })
    const weighted = world({}, dns([record("light.acme.com", 1), record("heavy.acme.com", 9)]))
    expect(await weighted.discover("jo@acme.com")).toMatchObject({ imap: { host: "heavy.acme.com" } })
    for (const broken of [record("bad host", 9), record("imap.acme.com", 9, 0)]) {
      expect(await world({}, dns([broken])).discover("jo@acme.com")).toBeNull()
    }
  })

  it("prefers the file of the domain to its SRV records, and these to its mail exchangers", async () => {
    const srv = srvOf({
      "_imaps._tcp.acme.com": [["srv.acme.com", 993]],
      "_submissions._tcp.acme.com": [["srv.acme.com", 465]]
    })
    const mx = { mx: async () => ["aspmx.l.google.com"] }
    const file = { "https://autoconfig.acme.com/": autoconfig("file.acme.com") }
    const hostOf = async (found: ReturnType<typeof world>) => (await found.discover("jo@acme.com"))?.imap.host
    expect(await hostOf(world(file, { ...srv, ...mx }))).toBe("imap.file.acme.com")
    expect(await hostOf(world({}, { ...srv, ...mx }))).toBe("srv.acme.com")
    expect(await hostOf(world({}, mx))).toBe("imap.gmail.com")
  })

  it("fills the placeholders of an autoconfig file, and uses the address without a username", async () => {
    const file = autoconfig("%EMAILDOMAIN%").replace("%EMAILLOCALPART%", "%EMAILADDRESS%")
    const url = "https://autoconfig.acme.com/"
    expect(await world({ [url]: file }).discover("jo@acme.com")).toMatchObject({
      imap: { host: "imap.acme.com" },
      username: "jo@acme.com"
    })
    for (const username of ["", "%REALNAME%"]) {
      const other = autoconfig("acme.com").replace("%EMAILLOCALPART%", username)
      expect(await world({ [url]: other }).discover("jo@acme.com")).toMatchObject({ username: "jo@acme.com" })
    }
  })

  it.each(["99999", "0", "9.5", "x"])("ignores a server with the port %s", async (port) => {
    const file = autoconfig("acme.com").replace("<port>993</port>", `<port>${port}</port>`)
    expect(await world({ "https://autoconfig.acme.com/": file }).discover("jo@acme.com")).toBeNull()
  })

  it("finds no server where SRV records state that there is none", async () => {
    const records = {
      "_imaps._tcp.acme.com": [["", 0]],
      "_submissions._tcp.acme.com": [["smtp.acme.com", 465]]
    } as const
    expect(await world({}, srvOf(records)).discover("jo@acme.com")).toBeNull()
  })

  it.each([
    ["imap.gmail.com", { mx: async () => ["ASPMX.L.GOOGLE.COM"] }],
    ["imappro.zoho.com", { mx: async () => ["mx.zoho.com"] }],
    ["imappro.zoho.eu", { mx: async () => ["mx2.zoho.eu."] }],
    ["outlook.office365.com", { mx: async () => ["acme-com.mail.protection.outlook.com"] }],
    ["outlook.office365.com", { cname: async () => ["autodiscover.outlook.com"] }]
  ])("recognises the hoster %s by DNS records", async (host, dns) => {
    expect(await world({}, dns).discover("jo@acme.com")).toMatchObject({ imap: { host } })
  })

  it("asks Thunderbird's database for the domain, and for the domain of its mail exchanger", async () => {
    const database = "https://autoconfig.thunderbird.net/v1.1/"
    const own = world({ [`${database}acme.com`]: autoconfig("acme.com") })
    expect(await own.discover("jo@acme.com")).toMatchObject({ origin: "Thunderbird's database of providers" })
    const hosted = world(
      { [`${database}hoster.net`]: autoconfig("hoster.net") },
      { mx: async () => ["mx1.hoster.net"] }
    )
    expect(await hosted.discover("jo@acme.com")).toMatchObject({ imap: { host: "imap.hoster.net" } })
  })

  it("requests no host inside the network", async () => {
    const { discover, requested } = world({})
    expect(await discover("jo@mail.internal")).toBeNull()
    expect(requested).toEqual(["https://autoconfig.thunderbird.net/v1.1/mail.internal"])
  })

  it("ends within its time when a source does not answer", async () => {
    const hanging = world(
      {},
      { ...srvOf({}), mx: () => new Promise(() => undefined), cname: async () => ["autodiscover.outlook.com"] }
    )
    const found = await Effect.runPromise(
      Effect.gen(function* () {
        const searching = yield* Effect.forkChild(hanging.search("jo@acme.com"))
        yield* TestClock.adjust(8_000)
        return yield* Fiber.join(searching)
      }).pipe(Effect.provide(TestClock.layer()))
    )
    expect(found).toMatchObject({ imap: { host: "outlook.office365.com" } })
  })
})
