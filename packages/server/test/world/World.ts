import { type Answer, adminKey, type TestServer, textAt } from "./TestServer.ts"

/** A tenant and its credentials. */
export interface TestTenant {
  readonly id: string
  readonly apiKey: string
  readonly keyId: string
  readonly session: string
  readonly sourceKey: string
}

/** The data that the tests of one server share. */
export interface World {
  /** The tenant of the domain acme.com. */
  readonly acme: TestTenant
  readonly other: TestTenant
  /** A HIPAA tenant, which has no email. */
  readonly clinic: TestTenant
  /** A key of the source `global`, valid for every tenant. */
  readonly globalSourceKey: string
}

/** The source that every tenant has. */
export const sourceId = "crm"

const must = (answer: Answer): unknown => {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json
}

const makeTenant = async (server: Pick<TestServer, "call">, id: string, hipaa: boolean): Promise<TestTenant> => {
  const admin = async (path: string, body: unknown) => must(await server.call("POST", path, { as: adminKey, body }))
  await admin("/api/v1/admin/tenants", { tenant_id: id, name: `The ${id} company`, domain: `${id}.com`, hipaa })
  const key = await admin(`/api/v1/tenants/${id}/api-keys`, { name: "partner" })
  const session = await admin("/api/v1/sessions", { tenant_id: id })
  const source = await admin(`/api/v1/admin/tenants/${id}/sources`, { source_id: sourceId })
  return {
    id,
    apiKey: textAt(key, "key"),
    keyId: textAt(key, "id"),
    session: textAt(session, "token"),
    sourceKey: textAt(source, "key")
  }
}

/** Creates three tenants with their credentials. */
export const makeWorld = async (server: Pick<TestServer, "call">): Promise<World> => {
  const source = await server.call("POST", "/api/v1/admin/sources", { as: adminKey, body: { source_id: "global" } })
  return {
    acme: await makeTenant(server, "acme", false),
    other: await makeTenant(server, "other", false),
    clinic: await makeTenant(server, "clinic", true),
    globalSourceKey: textAt(must(source), "key")
  }
}

/** Returns a raw mail. */
export const mail = (headers: Readonly<Record<string, string>>, body: string): string =>
  `${Object.entries({
    From: "Jane Miller <jane@customer.example>",
    To: "sales@acme.com",
    Subject: "Kitchen",
    Date: "Sun, 1 Mar 2026 09:30:00 +0000",
    "Message-ID": "<one@customer.example>",
    ...headers
  })
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n")}\r\n\r\n${body}\r\n`

/** Returns the body of an import. */
export const importOf = (...mails: ReadonlyArray<string>) => ({
  historical: true,
  mails: mails.map((raw, index) => ({ name: `mail ${index}`, raw: Buffer.from(raw).toString("base64") }))
})
