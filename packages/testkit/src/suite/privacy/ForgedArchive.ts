import { canonical, hashOf, isJson, type Json } from "@leadloom/core/domain/text/Json"
import { Tar } from "effect/encoding"
import { filesOf, tarOf } from "./TarBytes.ts"

/** Returns a line of an archive with changed fields and a valid hash. */
const lineWith = (line: string, changes: Readonly<Record<string, Json>>): string => {
  const { content_hash: _, ...row }: Record<string, unknown> = { ...JSON.parse(line), ...changes }
  if (!isJson(row)) throw new Error("not JSON")
  const text = canonical(row)
  return `${text.slice(0, -1)},"content_hash":"${hashOf(text)}"}`
}

/** Returns an archive with changed lines in one folder and valid hashes. */
export const forged = (
  archive: Uint8Array,
  folder: string,
  changes: Readonly<Record<string, Json>>
): Uint8Array<ArrayBuffer> => {
  const files = filesOf(archive).map(({ bytes, path }) => {
    const lines = new TextDecoder().decode(bytes).trimEnd().split("\n")
    const inside = path.startsWith(`${folder}/`) ? lines.map((line) => `${lineWith(line, changes)}\n`).join("") : bytes
    return Tar.file(path, inside)
  })
  return tarOf(...files)
}
