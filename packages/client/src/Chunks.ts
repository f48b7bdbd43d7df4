import { clientError, LeadloomError } from "./LeadloomError.ts"
import type { ByteStream } from "./Fetch.ts"

/**
 * Yields the parts of a body as they arrive. Cancels the body when the caller stops iterating.
 * @throws LeadloomError when the connection breaks, or when no part arrives within `idleMs`
 */
export async function* chunksOf(
  body: ByteStream,
  idleMs: number,
  signal?: AbortSignal
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  const close = () => void reader.cancel().catch(() => undefined)
  let isLate = false
  const stop = () => {
    isLate = true
    close()
  }
  try {
    for (;;) {
      const timer = setTimeout(stop, idleMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (isLate) throw clientError("TIMEOUT", `The server sent nothing for ${idleMs} ms.`)
      if (done) return
      if (value !== undefined) yield value
    }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof LeadloomError) throw cause
    throw clientError("NETWORK_ERROR", "The connection broke.", cause)
  } finally {
    close()
  }
}
