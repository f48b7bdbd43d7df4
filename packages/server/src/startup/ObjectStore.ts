import * as DiskObjects from "@leadloom/connectors/disk/DiskObjects"
import * as S3Objects from "@leadloom/connectors/s3/S3Objects"
import type { Objects } from "@leadloom/core/port/system/Objects"
import { Effect, type Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { ensureFolder } from "./DataDir.ts"
import type { StartupFailed } from "./StartupFailed.ts"

/** Where sources of mail and contents of attachments are kept, as configured. */
export const layer = ({ objects }: Pick<ServerConfig, "objects">): Layer.Layer<Objects> =>
  objects.kind === "disk" ? DiskObjects.layer(objects.directory) : S3Objects.layer(objects)

/** Makes sure that there is a folder to write to, where it is one. */
export const open = ({ objects }: Pick<ServerConfig, "objects">): Effect.Effect<void, StartupFailed> =>
  objects.kind === "disk" ? ensureFolder("folder of objects", "LEADLOOM_OBJECTS_DIR", objects.directory) : Effect.void
