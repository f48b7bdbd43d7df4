import * as DiskObjects from "@leadloom/connectors/internal/disk/DiskObjects"
import * as S3Objects from "@leadloom/connectors/internal/s3/S3Objects"
import type { Objects } from "@leadloom/core/internal/port/system/Objects"
import { Effect, type Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { ensureFolder } from "./DataDir.ts"
import type { StartupFailed } from "./StartupFailed.ts"

/** The configured storage of raw mail and attachments. */
export const layer = ({ objects }: Pick<ServerConfig, "objects">): Layer.Layer<Objects> =>
  objects.kind === "disk" ? DiskObjects.layer(objects.directory) : S3Objects.layer(objects)

/** Checks that the storage folder is writable, if the storage is a folder. */
export const open = ({ objects }: Pick<ServerConfig, "objects">): Effect.Effect<void, StartupFailed> =>
  objects.kind === "disk" ? ensureFolder("object folder", "LEADLOOM_OBJECTS_DIR", objects.directory) : Effect.void
