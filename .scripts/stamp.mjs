import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The folders that contain the packages of the workspace. */
const groups = ["packages", "examples"]

/** @param {string} root */
const manifests = (root) => [
  "package.json",
  "pnpm-workspace.yaml",
  "pnpm-lock.yaml",
  ...groups.flatMap((group) => {
    const folder = join(root, group)
    if (!existsSync(folder)) return []
    const names = readdirSync(folder)
    return names.sort().map((name) => join(group, name, "package.json"))
  })
]

/**
 * Returns a hash of the inputs of an installation: the lockfile, every manifest, and the platform, because a container
 * of another platform may share the folder.
 * @param {string} root
 */
export const installKey = (root) => {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
  for (const path of manifests(root)) {
    const file = join(root, path)
    if (existsSync(file)) hash.update(`\0${path}\0`).update(readFileSync(file))
  }
  return hash.digest("hex")
}

/**
 * Returns a hash of the paths and contents of all files below the given paths.
 * @param {string} root
 * @param {ReadonlyArray<string>} paths files or folders, relative to the root
 */
export const contentKey = (root, paths) => {
  const hash = createHash("sha256")
  /** @param {string} path */
  const add = (path) => {
    const file = join(root, path)
    if (!existsSync(file)) return
    if (!statSync(file).isDirectory()) {
      hash.update(`\0${path}\0`).update(readFileSync(file))
      return
    }
    const names = readdirSync(file)
    for (const name of names.sort()) add(join(path, name))
  }
  for (const path of paths) add(path)
  return hash.digest("hex")
}

/**
 * Reports whether the stamp contains this key.
 * @param {string} file
 * @param {string} key
 */
export const isStamped = (file, key) => existsSync(file) && readFileSync(file, "utf8") === key

/**
 * Writes a key to the stamp.
 * @param {string} file
 * @param {string} key
 */
export const stamp = (file, key) => writeFileSync(file, key)
