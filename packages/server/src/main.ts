/**
 * The process. It loads the program of the server (`Program.ts`) and runs it. Nothing else belongs here. Tests:
 * `packages/server/test/main.test.ts`.
 */

// Schemas are compiled when they are first used. This import must precede all modules with schemas.
import "effect/schema/SchemaJITCompiler/enable"
import type { Environment } from "./config/Variables.ts"
import type { ServeOptions } from "./Program.ts"
import { limitHeapGrowth, permitNewSpace } from "./startup/HeapGrowth.ts"

/**
 * The parts of the program, in the order in which they are loaded. V8 never returns the memory in which it parsed the
 * largest module, and a bundle without parts is one module of 8 MB: 45 MiB instead of 10. A part is a module on which
 * later parts depend. The bundler puts the modules that several parts share into separate files.
 */
const parts = [
  () => import("@leadloom/core/internal/domain/tenant/TenantConfig"),
  () => import("@leadloom/api/internal/Api"),
  () => import("@leadloom/store/internal/Store"),
  () => import("@leadloom/connectors/internal/egress/NodeEgress"),
  () => import("@leadloom/connectors/internal/mime/HtmlRendering"),
  () => import("@leadloom/connectors/internal/smtp/SmtpListener"),
  () => import("@leadloom/connectors/internal/smtp/SmtpTransport")
]

/**
 * Runs a server until SIGTERM or SIGINT, then lets it finish open work. A second signal stops the server immediately.
 * Returns the exit code: 0 after a regular stop, or 1 if the server did not start. Writes the reason for 1 to standard
 * error, unless `onFailure` reports it.
 *
 * Sets two V8 flags for the whole process (`--heap-growing-percent`, `--semi-space-growth-factor`), so that V8 collects
 * garbage earlier. The flags stay after the server has stopped.
 */
export const serve = async (env: Environment, options: ServeOptions = {}): Promise<number> => {
  limitHeapGrowth()
  for (const load of parts) await load()
  const program = await import("./Program.ts")
  const onListening: ServeOptions["onListening"] = (info) => {
    permitNewSpace()
    return options.onListening?.(info)
  }
  return program.serve(env, { ...options, onListening })
}

if (import.meta.main) process.exitCode = await serve(process.env)
