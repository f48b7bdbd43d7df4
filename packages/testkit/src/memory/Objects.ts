import { Effect, Layer } from "effect"
import { Objects, objectPath } from "@leadloom/core/internal/port/system/Objects"

/** Provides `Objects` that stores bytes in `held` by `objectPath`. */
export const inMemoryObjects = (held: Map<string, Uint8Array>): Layer.Layer<Objects> =>
  Layer.succeed(Objects, {
    put: (tenantId, key, bytes) => Effect.sync(() => void held.set(objectPath(tenantId, key), bytes.slice())),
    get: (tenantId, key) => Effect.sync(() => held.get(objectPath(tenantId, key))?.slice() ?? null),
    remove: (tenantId, key) => Effect.sync(() => void held.delete(objectPath(tenantId, key)))
  })

export const inMemoryObjectsLayer: Layer.Layer<Objects> = Layer.unwrap(Effect.sync(() => inMemoryObjects(new Map())))
