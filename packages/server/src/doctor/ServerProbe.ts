import { Effect } from "effect"

/** The responses of a running server to the doctor's requests. */
export interface ServerProbe {
  readonly url: string
  /** The HTTP status of `/health`; 0 if there was no response. */
  readonly status: number
  /** The version of the server. Null if the program at this URL is not Leadloom, or if the response has no version. */
  readonly version: string | null
  /** How far the server's clock is ahead of this machine's clock, accurate to about a second; null if unknown. */
  readonly clockAheadMillis: number | null
  /** The HTTP status of a request with the admin key; null if no such request was sent. */
  readonly adminStatus: number | null
}

/** The timeout of one request in milliseconds. */
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
  // The `Date` header has whole seconds. Half a second is added, because it is the average of the missing fraction.
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
  // The admin key is sent only to a Leadloom server.
  const admin = adminKey === null || version === null ? null : await request(url, "/api/v1/admin/tenants", adminKey)
  return {
    url,
    status: health.status,
    version,
    clockAheadMillis: aheadOf(health, (requested + answered) / 2),
    adminStatus: admin === null ? null : admin.status
  }
}

/** Requests the health of a server, its version, its clock and its response to the admin key. */
export const probeServer = (url: string, adminKey: string | null): Effect.Effect<ServerProbe> =>
  Effect.catch(
    Effect.tryPromise(() => probe(url, adminKey)),
    () => Effect.succeed({ url, status: 0, version: null, clockAheadMillis: null, adminStatus: null })
  )
