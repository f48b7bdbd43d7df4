import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { Objects } from "@leadloom/core/internal/port/system/Objects"
import { Effect } from "effect"
import type { ObjectsPlace, ServerConfig } from "../../config/Config.ts"
import * as ObjectStore from "../../startup/ObjectStore.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const nameOf = (place: ObjectsPlace): string =>
  place.kind === "disk" ? place.directory : `the bucket ${place.bucket} of ${place.endpoint}`

const adviceOf = (place: ObjectsPlace): string =>
  place.kind === "disk"
    ? "Change its owner, free some space, or set LEADLOOM_OBJECTS_DIR."
    : "Create the bucket, or allow the keys in LEADLOOM_S3_… to put, get and delete objects in it."

/**
 * Writes, reads and removes an object that belongs to no tenant. Returns whether the object that was read equals the
 * object that was written.
 */
const probe = Effect.gen(function* () {
  const { get, put, remove } = yield* Objects
  const key = `probing--${randomUUID()}`
  const bytes = Buffer.from(key)
  yield* put("", key, bytes)
  const found = yield* get("", key)
  yield* remove("", key)
  return found !== null && bytes.equals(found) && (yield* get("", key)) === null
})

const probed = (config: ServerConfig, hide: (text: string) => string): Effect.Effect<Finding> => {
  const place = nameOf(config.objects)
  return probe.pipe(
    Effect.provide(ObjectStore.layer(config)),
    Effect.match({
      onSuccess: (came) =>
        came
          ? healthy(`Raw mail can be stored in ${place}.`)
          : problem(`An object read from ${place} differs from the object written.`, adviceOf(config.objects)),
      onFailure: ({ reason }) =>
        problem(`Raw mail cannot be stored in ${place}: ${hide(reason)}.`, adviceOf(config.objects))
    })
  )
}

const shared = ({ databaseUrl, objects }: ServerConfig): ReadonlyArray<Finding> =>
  objects.kind === "disk" && databaseUrl.startsWith("postgres")
    ? [
        warning(
          `Raw mail is stored on this machine's disk (${objects.directory}), but several servers may share the Postgres database.`,
          "Use a shared folder or a bucket (LEADLOOM_S3_…) for several servers. A single server needs no change."
        )
      ]
    : []

/** Checks the storage of raw mail. */
export const objects: Check = {
  name: "objects",
  run: ({ config, hide }) => {
    if (config === null) return Effect.succeed([])
    const { objects: place } = config
    if (place.kind === "disk" && !existsSync(place.directory)) {
      const found = `The folder for raw mail ${place.directory} does not exist yet; the first start creates it.`
      return Effect.succeed([healthy(found), ...shared(config)])
    }
    return Effect.map(probed(config, hide), (finding) => [finding, ...shared(config)])
  }
}
