// The `Objects` port on a local disk. Keys and retention are decided in core. Tests: `packages/connectors/test/disk`,
// and the suite of the port, `packages/testkit/src/suite/intake/ObjectsSuite.ts`.
import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { objectPath, Objects, ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import { type Cause, Effect, Layer, Stream } from "effect"
import { folderSyncs } from "./FolderSyncs.ts"

/** The maximum number of folders that the cache remembers as created. */
const foldersKnown = 4_096

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)

const refuse = (what: string) => (cause: unknown) =>
  new ObjectsUnavailable({ reason: `The object cannot be ${what} on the disk: ${codeOf(cause)}` })

/** The content of a file, complete or in pieces. */
type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Writes and syncs a complete file, or leaves no file. */
const writeWhole = async (path: string, content: Content): Promise<void> => {
  const handle = await open(path, "wx", 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } catch (cause) {
    await unlink(path).catch(() => undefined)
    throw cause
  } finally {
    await handle.close()
  }
}

/** Creates each folder once, with access for its owner only. A folder is durable when the call returns. */
const folderMaker = (root: string, sync: (folder: string) => Promise<void>) => {
  const known = new Map<string, Promise<void>>()
  const make = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const above of [dirname(folder), root, dirname(root)]) await sync(above)
  }
  const forget = (folder: string): void => void known.delete(folder)
  const ensure = (folder: string): Promise<void> => {
    const done = known.get(folder)
    if (done !== undefined) return done
    if (known.size >= foldersKnown) known.clear()
    const made = make(folder)
    known.set(folder, made)
    made.catch(() => forget(folder))
    return made
  }
  return { ensure, forget }
}

const writer = (root: string) => {
  const sync = folderSyncs()
  const folders = folderMaker(root, sync)
  return async (path: string, content: Content): Promise<void> => {
    const folder = dirname(path)
    // The temporary name cannot equal the name of an object, because object names have four digits after their first
    // dot.
    const temporary = join(folder, `.writing-${randomUUID()}`)
    try {
      await folders.ensure(folder)
      await writeWhole(temporary, content)
      await rename(temporary, path)
      await sync(folder)
    } catch (cause) {
      // Another process may have deleted the folder. The next write creates it again.
      folders.forget(folder)
      await unlink(temporary).catch(() => undefined)
      throw cause
    }
  }
}

const absent = (cause: unknown): null => {
  if (codeOf(cause) === "ENOENT") return null
  throw cause
}

/** The stream failed. The class separates its failure from those of the disk. */
class StreamFailed<E> {
  readonly cause: Cause.Cause<E>

  constructor(cause: Cause.Cause<E>) {
    this.cause = cause
  }
}

/** Writes a stream. A failure of the stream stays as it is, and the file is not created. */
const writeStream = <E>(
  write: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  content: Stream.Stream<Uint8Array, E>
) =>
  Effect.gen(function* () {
    const marked = Stream.catchCause(content, (cause) => Stream.fail(new StreamFailed(cause)))
    const pieces = yield* Stream.toAsyncIterableEffect(marked)
    return yield* Effect.tryPromise({
      try: () => write(pieces),
      catch: (cause): StreamFailed<E> | ObjectsUnavailable =>
        cause instanceof StreamFailed ? cause : refuse("written")(cause)
    }).pipe(
      Effect.catch((failed): Effect.Effect<never, E | ObjectsUnavailable> =>
        failed instanceof StreamFailed ? Effect.failCause(failed.cause) : Effect.fail(failed)
      )
    )
  })

/**
 * Stores objects as files below a folder, readable only by their owner. An object appears complete under its name or
 * not at all. A crash may leave an incomplete file `.writing-…`, which no object refers to.
 */
export const layer = (root: string): Layer.Layer<Objects> =>
  Layer.sync(Objects, () => {
    const write = writer(root)
    const pathOf = (tenantId: string, key: string): string => join(root, objectPath(tenantId, key))
    return Objects.of({
      put: (tenantId, key, bytes) =>
        Effect.tryPromise({ try: () => write(pathOf(tenantId, key), bytes), catch: refuse("written") }),
      putStream: (tenantId, key, content) => writeStream((pieces) => write(pathOf(tenantId, key), pieces), content),
      get: (tenantId, key) =>
        Effect.tryPromise({
          try: (): Promise<Uint8Array | null> => readFile(pathOf(tenantId, key)).catch(absent),
          catch: refuse("read")
        }),
      remove: (tenantId, key) =>
        Effect.tryPromise({
          try: async () => void (await unlink(pathOf(tenantId, key)).catch(absent)),
          catch: refuse("removed")
        })
    })
  })
