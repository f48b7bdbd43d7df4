import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { conditions, programBeside } from "@leadloom/connectors/internal/parse/SandboxedProgram"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { Context, Effect, Layer, Schema } from "effect"
import type { Environment } from "../config/Variables.ts"
import { type NamedFinding, problem } from "./Finding.ts"

/** The time limit of an examination in milliseconds. The integrity check of a large SQLite file takes longest. */
export const examinationMillis = 60_000

/** The maximum size of the findings in bytes. */
const maxFindingsBytes = 4_194_304

const Findings = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      check: Schema.String,
      level: Schema.Literals(["ok", "warning", "problem"]),
      found: Schema.String,
      advice: Schema.NullOr(Schema.String)
    })
  )
)
const readFindings = Schema.decodeUnknownEffect(Findings)

/**
 * Examines the deployment of this server. The doctor runs in a separate process, because its checks of a SQLite file
 * would block the main thread.
 */
export class DoctorProcess extends Context.Service<
  DoctorProcess,
  {
    /** Returns the findings. Concurrent calls share one process. An examination that fails is a finding. */
    readonly examine: Effect.Effect<ReadonlyArray<NamedFinding>>
  }
>()("server/doctor/DoctorProcess") {}

const unfinished = (detail: string): ReadonlyArray<NamedFinding> => [
  { check: "doctor", ...problem(detail, "Run leadloom doctor on the machine of the server.") }
]

/** The process of the doctor ended without findings. `reason` is a sentence for people. */
class ExaminationFailed extends TaggedError("ExaminationFailed")<{ readonly reason: string }> {}

const unreadable = "The examination failed: its findings were not readable."

/** Describes a failed process. It is killed at its time limit, and when the server stops. */
const describeFailure = (error: unknown): string => {
  const facts = error instanceof Error ? { code: null, killed: false, ...error } : { code: null, killed: false }
  if (facts.killed) return `The examination took longer than ${examinationMillis / 1_000} s.`
  if (typeof facts.code === "number") return `The examination failed: its process ended with exit code ${facts.code}.`
  return unreadable
}

const outputOf = (file: string, env: Environment, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = {
      env,
      signal,
      timeout: examinationMillis,
      killSignal: "SIGKILL",
      maxBuffer: maxFindingsBytes
    } as const
    execFile(process.execPath, [...conditions(file), file], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error)
    )
  })

/** Runs `file` as the doctor. The process ends with the scope of the layer. */
export const layerOf = (file: string, env: Environment): Layer.Layer<DoctorProcess> =>
  Layer.effect(
    DoctorProcess,
    Effect.gen(function* () {
      const closing = new AbortController()
      yield* Effect.addFinalizer(() => Effect.sync(() => closing.abort()))
      let running: Promise<string> | null = null
      const share = (): Promise<string> => {
        running ??= outputOf(file, env, closing.signal).finally(() => {
          running = null
        })
        return running
      }
      return DoctorProcess.of({
        examine: Effect.tryPromise({
          try: share,
          catch: (error) => new ExaminationFailed({ reason: describeFailure(error) })
        }).pipe(
          Effect.flatMap(readFindings),
          Effect.catchTags({
            ExaminationFailed: ({ reason }) => Effect.succeed(unfinished(reason)),
            SchemaError: () => Effect.succeed(unfinished(unreadable))
          })
        )
      })
    })
  )

/** Runs the doctor of this version in the environment of the server. */
export const layer = (env: Environment): Layer.Layer<DoctorProcess> =>
  layerOf(fileURLToPath(programBeside(import.meta.url, "DoctorProgram")), env)
