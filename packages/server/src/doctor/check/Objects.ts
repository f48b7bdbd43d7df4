import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { Objects } from "@leadloom/core/port/system/Objects"
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
    : "See that the bucket is there, and that the keys of LEADLOOM_S3_… may put, get and delete in it."

/** Writes, reads and removes something that belongs to no tenant; answers whether it came back as it was. */
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
          ? healthy(`Sources of mail can be kept in ${place}.`)
          : problem(`What is written to ${place} does not come back as it was.`, adviceOf(config.objects)),
      onFailure: ({ reason }) =>
        problem(`No source of a mail can be kept in ${place}: ${hide(reason)}.`, adviceOf(config.objects))
    })
  )
}

const shared = ({ databaseUrl, objects }: ServerConfig): ReadonlyArray<Finding> =>
  objects.kind === "disk" && databaseUrl.startsWith("postgres")
    ? [
        warning(
          `Sources of mail are kept on the disk of this machine (${objects.directory}), and Postgres may have several servers.`,
          "Give every server the same folder, or a bucket (LEADLOOM_S3_…). One server alone may leave it so."
        )
      ]
    : []

/** Mail can be kept, where every server finds it. */
export const objects: Check = {
  name: "objects",
  run: ({ config, hide }) => {
    if (config === null) return Effect.succeed([])
    const { objects: place } = config
    if (place.kind === "disk" && !existsSync(place.directory)) {
      const found = `The folder of objects ${place.directory} is not there yet; the first start makes it.`
      return Effect.succeed([healthy(found), ...shared(config)])
    }
    return Effect.map(probed(config, hide), (finding) => [finding, ...shared(config)])
  }
}
