import { archiveLimits } from "@leadloom/core/domain/privacy/Archive"
import { canonical, hashOf, isJson, type Json } from "@leadloom/core/domain/text/Json"
import { tarEnd, tarHeader, tarPadding, tarReader } from "@leadloom/core/domain/privacy/Tar"

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
  const entries = tarReader(archiveLimits).push(archive)
  if (typeof entries === "string") throw new Error(entries)
  const files = entries.flatMap(({ bytes, path }) => {
    const lines = new TextDecoder().decode(bytes).trimEnd().split("\n")
    const inside = path.startsWith(`${folder}/`) ? lines.map((line) => `${lineWith(line, changes)}\n`).join("") : bytes
    const content = Buffer.from(inside)
    return [tarHeader(path, content.length, 0), content, tarPadding(content.length)]
  })
  return new Uint8Array(Buffer.concat([...files, tarEnd]))
}
