import type { Socket } from "node:net"

/** The start of a `100 Continue` response (RFC 9110, section 15.2.1). */
const continueHead = Buffer.from("HTTP/1.1 100")
const endOfHead = "\r\n\r\n"

/** The maximum length of a `100 Continue` response in bytes. */
const maxBytes = 4_096

const isContinue = (chunk: Buffer): boolean => chunk.subarray(0, continueHead.length).equals(continueHead)

/** Removes complete `100 Continue` responses from the start of a chunk. An incomplete one remains. */
const afterContinue = (chunk: Buffer): Buffer => {
  const end = isContinue(chunk) ? chunk.indexOf(endOfHead) : -1
  return end < 0 ? chunk : afterContinue(chunk.subarray(end + endOfHead.length))
}

/**
 * Hides `100 Continue` responses from the reader of a socket. Some receivers send them although the request does not
 * ask for them. Every client must accept this (RFC 9110, section 15.2), but `undici` then rejects the actual response
 * as invalid.
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
