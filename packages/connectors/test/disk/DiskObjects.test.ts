import { inMemoryObjectsLayer } from "@leadloom/testkit/memory/Objects"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Objects } from "@leadloom/core/internal/port/system/Objects"
import { objectsSuite } from "@leadloom/testkit/suite/intake/ObjectsSuite"
import { Effect } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import * as DiskObjects from "../../src/disk/DiskObjects.ts"

const folder = mkdtempSync(join(tmpdir(), "leadloom-objects-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

objectsSuite("memory", inMemoryObjectsLayer)
objectsSuite("a folder", DiskObjects.layer(join(folder, "suite")))

let root: string
let number = 0
beforeEach(() => {
  root = join(folder, `root-${number++}`)
})

const use = <A>(work: (objects: typeof Objects.Service) => Effect.Effect<A, unknown>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Objects, work), DiskObjects.layer(root)))

const filesIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(path, name)).isFile())

const bytes = Buffer.from("From: a@x.example\r\n\r\nHello")

describe("a folder of objects", () => {
  it("is readable only by its owner, with all of its content", async () => {
    await use(({ put }) => put("acme", "raw_01k5x0000000000000000000", bytes))
    expect(filesIn(root)).toEqual(["acme/raw_01k5x/raw_01k5x0000000000000000000"])
    const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8)
    expect(["", "acme", "acme/raw_01k5x"].map(modeOf)).toEqual(["700", "700", "700"])
    expect(modeOf("acme/raw_01k5x/raw_01k5x0000000000000000000")).toBe("600")
  })

  it("keeps all files inside, for any tenant and key", async () => {
    const before = readdirSync(folder).length
    for (const odd of ["../outside", "..", "/tmp/outside", "a/../../../outside", "\0", ""]) {
      await use(({ put }) => put(odd, "raw_1", bytes))
      await use(({ put }) => put("acme", odd, bytes))
    }
    expect(filesIn(root)).toHaveLength(12)
    expect(readdirSync(folder)).toHaveLength(before + 1)
  })

  it("leaves no partial file after a failed write, and reports the reason", async () => {
    mkdirSync(root, { recursive: true })
    writeFileSync(join(root, "acme"), "in the way")
    const failure = await use(({ put }) => Effect.flip(put("acme", "raw_1", bytes)))
    expect(failure).toMatchObject({ _tag: "ObjectsUnavailable", reason: expect.stringContaining("written") })
    expect(filesIn(root)).toEqual(["acme"])
  })

  it("works again after the folder becomes writable", async () => {
    const work = ({ get, put }: typeof Objects.Service) =>
      Effect.gen(function* () {
        mkdirSync(root, { recursive: true })
        writeFileSync(join(root, "acme"), "in the way")
        yield* Effect.flip(put("acme", "raw_01k5x1", bytes))
        rmSync(join(root, "acme"))
        yield* put("acme", "raw_01k5x1", bytes)
        rmSync(root, { recursive: true })
        yield* Effect.flip(put("acme", "raw_01k5x2", bytes))
        yield* put("acme", "raw_01k5x2", bytes)
        return yield* get("acme", "raw_01k5x2")
      })
    expect(Buffer.from((await use(work)) ?? [])).toEqual(bytes)
  })

  it("distinguishes an unreadable object from a missing one", async () => {
    await use(({ put }) => put("acme", "raw_1", bytes))
    rmSync(join(root, "acme/raw_1/raw_1"))
    mkdirSync(join(root, "acme/raw_1/raw_1"))
    const failure = await use(({ get }) => Effect.flip(get("acme", "raw_1")))
    expect(failure).toMatchObject({ _tag: "ObjectsUnavailable", reason: expect.stringContaining("EISDIR") })
    expect(await use(({ get }) => get("acme", "raw_2"))).toBeNull()
    chmodSync(root, 0o700)
  })

  it("stores many objects in one folder concurrently", async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `raw_01k5x${index}`)
    await use(({ put }) => Effect.forEach(keys, (key) => put("acme", key, bytes), { concurrency: "unbounded" }))
    expect(readdirSync(join(root, "acme/raw_01k5x")).toSorted()).toEqual(keys.toSorted())
  })
})
