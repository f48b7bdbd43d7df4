/** The minimum rate at which a body must arrive. */
export interface MinBodyRate {
  readonly bytes: number
  /**
   * The length of the interval in which `bytes` must arrive. It includes only the time in which the server waits for
   * the client.
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

/** The default rate: 1 KiB/s, which is a twentieth of the rate of a bad mobile connection. */
export const minBodyRate: MinBodyRate = { bytes: 30 * 1_024, seconds: 30 }

/**
 * Calls `onSlow` once if a body arrives more slowly than `rate`. A second that ends with unread bytes does not count,
 * because the client was waiting for the server. Ends with the request.
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
