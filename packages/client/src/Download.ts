import { chunksOf } from "./Chunks.ts"
import type { ByteStream, FetchResponse } from "./Fetch.ts"
import type { Download } from "./Result.ts"

const streamOf = (body: ByteStream, chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> => {
  let isRead = false
  return new ReadableStream({
    pull: async (controller) => {
      isRead = true
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    // A generator that has not started ignores `return`.
    cancel: async () => void (await (isRead ? chunks.return(undefined) : body.getReader().cancel()))
  })
}

/** Returns the file in a response. */
export const downloadOf = (
  { headers }: FetchResponse,
  body: ByteStream,
  idleMs: number,
  signal: AbortSignal | undefined
): Download => {
  const read = () => chunksOf(body, idleMs, signal)
  return {
    contentType: headers.get("content-type"),
    size: Number(headers.get("content-length")) || null,
    stream: () => streamOf(body, read()),
    bytes: async () => new Uint8Array(await new Response(streamOf(body, read())).arrayBuffer()),
    [Symbol.asyncIterator]: read
  }
}
