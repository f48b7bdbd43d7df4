import type { IncomingMessage } from "node:http"
import { GrowingBytes } from "@leadloom/core/internal/domain/text/GrowingBytes"

/** The maximum number of bytes in a joined chunk. Larger chunks pass unchanged. */
const maxJoinedBytes = 16_384

/**
 * Number of chunks of a body that may arrive together with earlier ones, whatever their size. The parser of `node:http`
 * needs about 1.5 µs of the main thread for each chunk, so these take about 6 ms.
 */
export const maxTinyChunks = 4_096

/**
 * Minimum mean size in bytes of the chunks that arrive together, if there are more than `maxTinyChunks`. A chunk whose
 * parts are in two reads of the socket counts as two.
 */
export const minMeanChunkBytes = 32

/** The parts of a request that receive its body. */
type Body = Pick<IncomingMessage, "destroyed" | "push" | "readableHighWaterMark" | "readableLength">

/**
 * Joins the small chunks of a body. The client chooses the chunk size, down to one byte, and every chunk costs an
 * object, an event and a step of the reader. Only chunks that arrive together are joined, so no chunk is delayed. A
 * chunk of `wholeBytes` bytes is the whole body and passes unchanged. Call this function before the first chunk
 * arrives.
 *
 * If the chunks are smaller than the limits permit, the function calls `refuse` once and drops the rest of the body. A
 * chunk that arrives alone does not count, so a client may write small pieces slowly, for any length of time.
 */
export const coalesceBody = (request: Body, wholeBytes: number, refuse: () => void): void => {
  const push = request.push.bind(request)
  const joined = new GrowingBytes()
  const together = { chunks: 0, bytes: 0, areTooSmall: false }
  let flushing: NodeJS.Immediate | null = null
  const flush = (): void => {
    if (flushing !== null) clearImmediate(flushing)
    flushing = null
    if (joined.length === 0) return
    const bytes = joined.take()
    if (!request.destroyed) push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  }
  const count = (bytes: number): void => {
    together.chunks += 1
    together.bytes += bytes
    if (together.chunks <= maxTinyChunks || together.bytes >= together.chunks * minMeanChunkBytes) return
    together.areTooSmall = true
    if (flushing !== null) clearImmediate(flushing)
    refuse()
  }
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (together.areTooSmall) return true
    const isPart = chunk instanceof Uint8Array && chunk.length !== wholeBytes
    if (!isPart || chunk.length + joined.length > maxJoinedBytes) {
      flush()
      return push(chunk, encoding)
    }
    if (flushing !== null) count(chunk.length)
    if (together.areTooSmall) return true
    joined.append(chunk)
    flushing ??= setImmediate(flush)
    return request.readableLength + joined.length < request.readableHighWaterMark
  }
}
