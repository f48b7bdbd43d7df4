import { createHash } from "node:crypto"
import { type Answer, adminKey, at, readResponse, type TestServer, textAt } from "./TestServer.ts"

/** The permitted origin of the form of `acme`. */
export const origin = "https://www.acme.com"
export const formPath = "/api/v1/public/leads/acme"

/** A tenant with an open form, and its data. */
export interface FormWorld {
  readonly apiKey: string
  /** Submits as a script does. */
  readonly submit: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  /** Submits as a browser without JavaScript does. */
  readonly post: (body: URLSearchParams | FormData, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly configure: (form: Readonly<Record<string, unknown>>) => Promise<void>
  readonly contacts: () => Promise<ReadonlyArray<unknown>>
  readonly leads: () => Promise<ReadonlyArray<unknown>>
}

/** Opens the form of a separate tenant. */
export const openFormOf = async (server: Pick<TestServer, "call" | "fetch">): Promise<FormWorld> => {
  const admin = (method: string, path: string, body: unknown) => server.call(method, path, { as: adminKey, body })
  await admin("POST", "/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme" })
  const apiKey = textAt((await admin("POST", "/api/v1/tenants/acme/api-keys", { name: "one" })).json, "key")
  const configure = async (form: Readonly<Record<string, unknown>>): Promise<void> => {
    const saved = await admin("PATCH", "/api/v1/config/acme", { public_form: form })
    if (saved.status !== 200) throw new Error(saved.text)
  }
  await configure({ enabled: true, allowed_origins: [origin] })
  const list = async (name: string): Promise<ReadonlyArray<unknown>> => {
    const found = at((await server.call("GET", `/api/v1/tenants/acme/${name}`, { as: apiKey })).json, name)
    return Array.isArray(found) ? found : []
  }
  return {
    apiKey,
    configure,
    submit: (body, headers = {}) => server.call("POST", formPath, { body, headers: { origin, ...headers } }),
    post: async (body, headers = {}) => {
      const request = new Request(`http://leadloom.test${formPath}`, {
        method: "POST",
        body,
        headers: { accept: "text/html", origin, ...headers }
      })
      return readResponse(await server.fetch(request))
    },
    contacts: () => list("contacts"),
    leads: () => list("leads")
  }
}

/** Solves a challenge as a page does. It compares hexadecimal digits, unlike the server. */
export const solve = (challenge: string, difficulty: number): string => {
  for (let number = 0; ; number++) {
    const hex = createHash("sha256").update(`${challenge}.${number}`).digest("hex")
    const bits = Array.from(hex.slice(0, 16), (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join(
      ""
    )
    if (bits.startsWith("0".repeat(difficulty))) return `${challenge}.${number}`
  }
}
