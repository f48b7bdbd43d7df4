import { readFile } from "node:fs/promises"
import { usageFailure } from "../Failure.ts"
import { parseJson, readJson } from "../ReadJson.ts"
import type { Terminal } from "../Terminal.ts"

/** Returns the file that `--data` names, where `-` is standard input; null if `--data` contains the body itself. */
const fileOf = (data: string): string | null => {
  if (data === "-") return data
  return data.startsWith("@") ? data.slice(1) : null
}

/** Reads the JSON that `--data` names. */
export const readJsonData = async (terminal: Terminal, data: string): Promise<unknown> => {
  const file = fileOf(data)
  return file === null ? parseJson(data, "--data") : readJson(terminal, file)
}

/** Reads the bytes that `--data` names. */
export const readBytesData = async (terminal: Terminal, data: string): Promise<Uint8Array<ArrayBuffer>> => {
  const file = fileOf(data)
  if (file === null) return new TextEncoder().encode(data)
  if (file === "-") return new Uint8Array(await terminal.readBytes())
  const bytes = await readFile(file).catch(() => {
    throw usageFailure(`Cannot read ${file}.`)
  })
  return new Uint8Array(bytes)
}
