import { mkdir, rename, symlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { findMailFiles } from "../../src/mail/MailFiles.ts"
import { makeFolder, removeFolder } from "../FakeTerminal.ts"

let folder = ""
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => removeFolder(folder))

const put = async (path: string, text: string): Promise<string> => {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}
const mail = "Subject: x\n\nhello\n"
const mbox = `From ada@example.org Mon Mar  2 08:14:22 2026\n${mail}`

const found = async (...paths: ReadonlyArray<string>) => {
  const { files, ignored } = await findMailFiles(paths.map((path) => join(folder, path)))
  return { files: files.map((file) => `${file.kind} ${file.path.slice(folder.length + 1)}`), ignored }
}

describe("findMailFiles", () => {
  it("finds every file of a maildir and its folders, except mail in delivery", async () => {
    for (const path of ["cur/1.host:2,S", "new/2.host", "tmp/3.host", ".Sent/cur/4.host:2,", ".Sent/new/5.host"])
      await put(`box/${path}`, mail)
    await mkdir(join(folder, "box/.Sent/tmp"), { recursive: true })
    await put("box/dovecot-uidlist", "3 V1\n")
    await put("box/cur/.nfs0001", "x")
    expect(await found("box")).toEqual({
      files: [
        "mail box/.Sent/cur/4.host:2,",
        "mail box/.Sent/new/5.host",
        "mail box/cur/1.host:2,S",
        "mail box/new/2.host"
      ],
      ignored: 1
    })
  })

  it("finds .eml and mbox files at any depth", async () => {
    await put("a/one.eml", mail)
    await put("a/b/Inbox", mbox)
    await put("a/b/archive.mbox", mbox)
    await put("a/b/notes.txt", "From now on\n")
    await put("a/readme.md", "hello")
    expect(await found("a")).toEqual({
      files: ["mbox a/b/Inbox", "mbox a/b/archive.mbox", "mbox a/b/notes.txt", "mail a/one.eml"],
      ignored: 1
    })
  })

  it("accepts a named file as mail", async () => {
    await put("saved", mail)
    expect(await found("saved")).toEqual({ files: ["mail saved"], ignored: 0 })
  })

  it("recognises a mail of a maildir after it was read", async () => {
    await mkdir(join(folder, "box/cur"), { recursive: true })
    const before = await put("box/new/1.host", mail)
    const first = (await findMailFiles([join(folder, "box")])).files[0]
    await rename(before, join(folder, "box/cur/1.host:2,RS"))
    const second = (await findMailFiles([join(folder, "box")])).files[0]
    expect(second?.path).not.toBe(first?.path)
    expect(second?.key).toBe(first?.key)
  })

  it("treats a modified file as a new one", async () => {
    const file = await put("one.eml", mail)
    const first = (await findMailFiles([file])).files[0]?.key
    await utimes(file, 1_000, 1_000)
    expect((await findMailFiles([file])).files[0]?.key).not.toBe(first)
  })

  it("follows links to files but not to folders", async () => {
    const file = await put("real/one.eml", mail)
    await mkdir(join(folder, "links"))
    await symlink(file, join(folder, "links/two.eml"))
    await symlink(join(folder, "links"), join(folder, "links/loop"))
    expect(await found("links")).toEqual({ files: ["mail links/two.eml"], ignored: 0 })
  })

  it("names a path that does not exist", async () => {
    await expect(findMailFiles(["/nowhere/mail"])).rejects.toThrow("/nowhere/mail does not exist.")
  })
})
