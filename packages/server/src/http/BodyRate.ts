/** The minimum rate at which a body must arrive. */
export interface MinBodyRate {
  readonly bytes: number
  /**
   * Length of the interval in which that many bytes must arrive. Only time in which the server waits for the client
   * counts.
   */
  readonly seconds: number
}

/** The parts of a request that show the progress of its body. */
interface ArrivingBody {
  readonly complete: boolean
  readonly readableLength: number
  readonly socket: { readonly bytesRead: number }
  readonly once: (event: "close", listener: () => void) => unknown
}

/** 1 KiB/s: a twentieth of the rate of a bad mobile connection. */
export const minBodyRate: MinBodyRate = { bytes: 30 * 1_024, seconds: 30 }

/**
 * Calls `onSlow` once if a body arrives more slowly than `rate`. A second with unread bytes does not count, because
 * then the client waits for the server. Stops with the request.
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
