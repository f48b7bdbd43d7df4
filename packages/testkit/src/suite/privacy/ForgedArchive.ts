import { archiveFiles } from "@leadloom/core/internal/domain/privacy/Archive"
import { canonical, hashOf, isJson, type Json } from "@leadloom/core/internal/domain/text/Json"
import { Tar } from "effect/encoding"
import { filesOf, tarOf } from "./TarBytes.ts"

/** Changed fields of a line. Undefined removes the field. */
type Changes = Readonly<Record<string, Json | undefined>>

/** Returns a line of an archive with changed fields and a valid hash, and the hash. */
const lineWith = (line: string, changes: Changes): { readonly line: string; readonly hash: string } => {
  const changed: Record<string, unknown> = { ...JSON.parse(line), ...changes }
  const { content_hash: _, ...row } = Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== undefined)
  )
  if (!isJson(row)) throw new Error("not JSON")
  const text = canonical(row)
  const hash = hashOf(text)
  return { line: `${text.slice(0, -1)},"content_hash":"${hash}"}`, hash }
}

/** Returns a manifest with the hash of a folder whose lines have these hashes. */
const manifestWith = (text: string, folder: string, hashes: ReadonlyArray<string>): string => {
  const manifest: { folders: Record<string, object> } = JSON.parse(text)
  const folders = { ...manifest.folders, [folder]: { ...manifest.folders[folder], hash: hashOf(hashes.join("")) } }
  if (!isJson(folders)) throw new Error("not JSON")
  return JSON.stringify({ ...manifest, folders, content_hash: hashOf(canonical(folders)) })
}

/** Returns an archive with changed lines in one folder and valid hashes of lines, with a valid manifest on request. */
export const forged = (
  archive: Uint8Array,
  folder: string,
  changes: Changes,
  manifest: "original" | "valid" = "original"
): Uint8Array<ArrayBuffer> => {
  const hashes: Array<string> = []
  const contentOf = (path: string, bytes: Uint8Array): Uint8Array | string => {
    const text = new TextDecoder().decode(bytes)
    if (path === archiveFiles.manifest && manifest === "valid") return manifestWith(text, folder, hashes)
    if (!path.startsWith(`${folder}/`)) return bytes
    const lines = text.trimEnd().split("\n")
    const changed = lines.map((line) => lineWith(line, changes))
    hashes.push(...changed.map(({ hash }) => hash))
    return changed.map(({ line }) => `${line}\n`).join("")
  }
  return tarOf(...filesOf(archive).map(({ bytes, path }) => Tar.file(path, contentOf(path, bytes))))
}
