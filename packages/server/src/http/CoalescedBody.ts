import type { IncomingMessage } from "node:http"
import { GrowingBytes } from "@leadloom/core/domain/text/GrowingBytes"

/** The maximum number of bytes in a joined chunk. Larger chunks pass unchanged. */
const maxJoinedBytes = 16_384

/** The parts of a request that receive its body. */
type Body = Pick<IncomingMessage, "destroyed" | "push" | "readableHighWaterMark" | "readableLength">

/**
 * Joins the small chunks of a body. The client chooses the chunk size, down to one byte, and every chunk costs an
 * object, an event and a step of the reader. Only chunks that arrive together are joined, so no chunk is delayed. A
 * chunk of `wholeBytes` bytes is the whole body and passes unchanged. Call this function before the first chunk
 * arrives.
 */
export const coalesceBody = (request: Body, wholeBytes: number): void => {
  const push = request.push.bind(request)
  const joined = new GrowingBytes()
  let flushing: NodeJS.Immediate | null = null
  const flush = (): void => {
    if (flushing !== null) clearImmediate(flushing)
    flushing = null
    if (joined.length === 0) return
    const bytes = joined.take()
    if (!request.destroyed) push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  }
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    const isPart = chunk instanceof Uint8Array && chunk.length !== wholeBytes
    if (!isPart || chunk.length + joined.length > maxJoinedBytes) {
      flush()
      return push(chunk, encoding)
    }
    joined.append(chunk)
    flushing ??= setImmediate(flush)
    return request.readableLength + joined.length < request.readableHighWaterMark
  }
}
