import type { Socket } from "node:net"

/** How the line begins that tells a client to go on and send its body (RFC 9110, section 15.2.1). */
const continueHead = Buffer.from("HTTP/1.1 100")
const endOfHead = "\r\n\r\n"

/** Longer than any such word is. */
const maxBytes = 4_096

const isContinue = (chunk: Buffer): boolean => chunk.subarray(0, continueHead.length).equals(continueHead)

/** What comes behind words to go on; they stay where their end has not come. */
const afterContinue = (chunk: Buffer): Buffer => {
  const end = isContinue(chunk) ? chunk.indexOf(endOfHead) : -1
  return end < 0 ? chunk : afterContinue(chunk.subarray(end + endOfHead.length))
}

/**
 * A connection from which nobody reads a word to go on. Some receivers say it unasked, every client has to bear it
 * (RFC 9110, section 15.2), and `undici` takes the answer behind it for none and breaks off.
 */
export const withoutContinue = <S extends Socket>(socket: S): S => {
  const read = socket.read.bind(socket)
  let begun: Buffer = Buffer.alloc(0)
  socket.read = (size?: number) => {
    for (;;) {
      const next: unknown = read(size)
      if (!Buffer.isBuffer(next)) return next
      const chunk = afterContinue(begun.length === 0 ? next : Buffer.concat([begun, next]))
      const waits = isContinue(chunk) && chunk.length <= maxBytes
      begun = waits ? chunk : Buffer.alloc(0)
      if (!waits && chunk.length > 0) return chunk
    }
  }
  return socket
}
