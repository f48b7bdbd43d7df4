import { Effect } from "effect"

/** What a server said when it was asked. */
export interface ServerProbe {
  readonly url: string
  /** HTTP status of its health; 0: nobody answers. */
  readonly status: number
  /** Null: it is no server of this program, or too ill to say. */
  readonly version: string | null
  /** By how much its clock is ahead of ours, to the second; null: it did not say. */
  readonly clockAheadMillis: number | null
  /** HTTP status of a question that takes the admin key; null: there is no key, or nobody answers. */
  readonly adminStatus: number | null
}

/** How long a server may take for an answer. Milliseconds. */
const timeoutMillis = 5_000

const versionIn = (body: string): string | null => {
  try {
    const read: unknown = JSON.parse(body)
    const isVersioned = typeof read === "object" && read !== null && "version" in read
    return isVersioned && typeof read.version === "string" ? read.version : null
  } catch {
    return null
  }
}

const aheadOf = (response: Response, between: number): number | null => {
  const date = Date.parse(response.headers.get("date") ?? "")
  // The header drops the fraction of a second: half of one is a fair guess.
  return Number.isNaN(date) ? null : date + 500 - between
}

const request = async (url: string, path: string, adminKey: string | null): Promise<Response> => {
  const headers = adminKey === null ? {} : { authorization: `Bearer ${adminKey}` }
  return fetch(new URL(path, url), { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMillis) })
}

const probe = async (url: string, adminKey: string | null): Promise<ServerProbe> => {
  const requested = Date.now()
  const health = await request(url, "/health", null)
  const answered = Date.now()
  const version = versionIn(await health.text())
  // The key is shown to nobody but a server of this program.
  const admin = adminKey === null || version === null ? null : await request(url, "/api/v1/admin/tenants", adminKey)
  return {
    url,
    status: health.status,
    version,
    clockAheadMillis: aheadOf(health, (requested + answered) / 2),
    adminStatus: admin === null ? null : admin.status
  }
}

/** Asks a server how it is. */
export const probeServer = (url: string, adminKey: string | null): Effect.Effect<ServerProbe> =>
  Effect.catch(
    Effect.tryPromise(() => probe(url, adminKey)),
    () => Effect.succeed({ url, status: 0, version: null, clockAheadMillis: null, adminStatus: null })
  )
