import type { IncomingMessage } from "node:http"
import { GrowingBytes } from "@leadloom/core/domain/text/GrowingBytes"

/** Bytes of small chunks that are joined into one, at most. Larger chunks pass as they are. */
const maxJoinedBytes = 16_384

/** The part of a request that receives its body. */
type Body = Pick<IncomingMessage, "destroyed" | "push" | "readableHighWaterMark" | "readableLength">

/**
 * Joins the small chunks of a body. A client decides how its body is cut, down to one byte a chunk, and a chunk costs
 * more than its bytes: an object, an event and a turn of whoever reads it. Chunks that arrive together are joined, and
 * no chunk waits for one that has not arrived. A chunk of `wholeBytes` is the whole body and passes as it is. Applied
 * before the first chunk is there.
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
