import { Formatter, Layer, Logger, References } from "effect"
import type { LogFormat, ServerConfig } from "../config/Config.ts"

const levels = { error: "Error", warn: "Warn", info: "Info", debug: "Debug" } as const

/** The parts of a line. `cause` is the cause of an unexpected failure, if there is one. */
interface Line {
  readonly time: string
  readonly level: string
  readonly event: unknown
  readonly message: unknown
  readonly fields: Readonly<Record<string, unknown>>
  readonly cause: string | undefined
}

const isPlain = (value: unknown): value is string => typeof value === "string" && /^[\w./:@+-]+$/u.test(value)

/** Quotes all other values, so that a value can neither add a field nor a line. */
const quoted = (value: unknown): string => (isPlain(value) ? value : Formatter.formatJson(value))

const formats: Readonly<Record<LogFormat, (line: Line) => string>> = {
  json: ({ cause, event, fields, level, message, time }) =>
    Formatter.formatJson({ time, level, event, message, ...fields, cause }),
  pretty: ({ cause, event, fields, level, message, time }) => {
    const all = Object.entries({ event, ...fields }).map(([name, value]) => `${name}=${quoted(value)}`)
    const line = `${time} ${level.toUpperCase().padEnd(5)} ${String(message)}  ${all.join(" ")}`
    return cause === undefined ? line : `${line}\n${cause}`
  }
}

/** The event of a line that a library writes, such as the migrator of Effect. It is not in a catalogue. */
export const libraryEvent = "library"

/** Writes each line to standard output. */
const lines = (format: LogFormat) =>
  Logger.map(
    Logger.formatStructured,
    ({ annotations: { event = libraryEvent, ...fields }, cause, level, message, timestamp }) => {
      const line = formats[format]({ time: timestamp, level: level.toLowerCase(), event, message, fields, cause })
      process.stdout.write(`${line}\n`)
    }
  )

/** Configures the log of the server: its format and its minimum level. */
export const layer = ({ logFormat, logLevel }: Pick<ServerConfig, "logFormat" | "logLevel">): Layer.Layer<never> =>
  Layer.mergeAll(Logger.layer([lines(logFormat)]), Layer.succeed(References.MinimumLogLevel, levels[logLevel]))
