/** How slowly a body may arrive. */
export interface MinBodyRate {
  readonly bytes: number
  /** Seconds in which so many bytes have to arrive, counted only while the server waits for the client. */
  readonly seconds: number
}

/** The part of a request that tells how its body arrives. */
interface ArrivingBody {
  readonly complete: boolean
  readonly readableLength: number
  readonly socket: { readonly bytesRead: number }
  readonly once: (event: "close", listener: () => void) => unknown
}

/** 1 KiB/s: a twentieth of what a bad mobile connection carries. */
export const minBodyRate: MinBodyRate = { bytes: 30 * 1_024, seconds: 30 }

/**
 * Calls `onSlow` once when a body arrives more slowly than `rate`. A second in which bytes wait to be read does not
 * count: then the client waits for the server. Stops with the request.
 */
export const watchBodyRate = (request: ArrivingBody, rate: MinBodyRate, onSlow: () => void): void => {
  let starved = 0
  let before = request.socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    if (request.readableLength > 0) {
      starved = 0
      before = request.socket.bytesRead
      return
    }
    starved += 1
    if (starved < rate.seconds) return
    const arrived = request.socket.bytesRead - before
    starved = 0
    before = request.socket.bytesRead
    if (arrived >= rate.bytes) return
    clearInterval(timer)
    onSlow()
  }, 1_000).unref()
  request.once("close", () => clearInterval(timer))
}
