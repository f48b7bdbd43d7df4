import { readFileSync } from "node:fs"
import { adminKey, at, type TestServer } from "../../test/world/TestServer.ts"

const mailsPerRequest = 100

/** A server that answers requests. */
export interface Caller {
  readonly call: (
    method: string,
    path: string,
    options: { readonly as: string; readonly body: unknown }
  ) => Promise<{ readonly json: unknown }>
}

/** Creates the tenant `acme`. */
export const openAcme = async <S extends TestServer>(server: S): Promise<S> => {
  const tenant = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
  await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: tenant })
  return server
}

/**
 * Imports files into the tenant `acme` and returns a result for each. A copy belongs to the thread of its original, so
 * an import of mails that are stored already returns their threads.
 */
export const importAll = async (server: Caller, files: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> => {
  const results: Array<unknown> = []
  for (let start = 0; start < files.length; start += mailsPerRequest) {
    const mails = files.slice(start, start + mailsPerRequest).map((name) => {
      return { name, raw: readFileSync(name).toString("base64") }
    })
    const body = { historical: true, mails }
    const answer = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
    mails.forEach((_, index) => results.push(at(answer.json, "results", index)))
  }
  return results
}

/** Returns the thread of each result. */
export const threadsOf = (results: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  results.map((result) => String(at(result, "thread_id")))

/** Returns the results of mails that were not stored before. */
export const addedOf = (results: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  results.filter((result) => at(result, "outcome") !== "duplicate_of")
