import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import type { Download } from "@leadloom/client"
import { usageFailure } from "../Failure.ts"
import type { Terminal } from "../Terminal.ts"

/** Writes a download to a file, or to standard output. */
export const writeDownload = async (terminal: Terminal, download: Download, out: string | undefined): Promise<void> => {
  if (out === undefined) return terminal.write(download)
  await pipeline(download, createWriteStream(out)).catch((error: NodeJS.ErrnoException) => {
    if (error.path === undefined) throw error
    throw usageFailure(`Cannot write ${out} (${error.code}).`)
  })
}
