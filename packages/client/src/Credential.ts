/**
 * A credential, or a function that returns the current one. The client calls the function before the first request, and
 * again after a response with the status 401. It then passes the rejected credential and repeats the request once.
 */
export type Credential = string | ((rejected: string | undefined) => string | undefined | Promise<string | undefined>)

/** The current credential of a client. */
export interface CurrentCredential {
  readonly get: () => Promise<string | undefined>
  /** Returns a newer credential; undefined if there is none. */
  readonly renew: (rejected: string | undefined) => Promise<string | undefined>
}

/** Keeps the credential between calls. Concurrent calls with the same rejected credential wait for one renewal. */
export const currentCredential = (credential: Credential | undefined): CurrentCredential => {
  const read = typeof credential === "function" ? credential : () => credential
  let current: Promise<string | undefined> | null = null
  const load = (rejected?: string) => {
    const loaded = (async () => read(rejected))()
    current = loaded
    // The next call tries again after a failure.
    loaded.catch(() => (current = null))
    return loaded
  }
  const get = () => current ?? load()
  const renew = async (rejected: string | undefined) => {
    const held = get()
    if ((await held) !== rejected) return held
    // Another call may have started the renewal in the meantime.
    const newer = await (current === null || current === held ? load(rejected) : current)
    return newer === rejected ? undefined : newer
  }
  return { get, renew }
}
