import { readFile } from "node:fs/promises"
import { parseEnv } from "node:util"
import { usageFailure } from "./Failure.ts"

/** The maximum size of an environment file in characters. The file that `leadloom init` writes has about 20,000. */
const maxLength = 1_000_000

/**
 * Reads an environment file with one `NAME=value` per line, as Docker and systemd do.
 * @throws CommandFailed when the file is not readable or too large
 */
export const readEnvFile = async (file: string): Promise<Readonly<Record<string, string | undefined>>> => {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const next = error.code === "ENOENT" ? `Create it with: leadloom init --out ${file}` : "Check its owner and mode."
    throw usageFailure(`Cannot read the environment file ${file} (${error.code}). ${next}`)
  })
  if (text.length > maxLength)
    throw usageFailure(`${file} is larger than ${maxLength} characters. Pass an environment file.`)
  return parseEnv(text)
}
