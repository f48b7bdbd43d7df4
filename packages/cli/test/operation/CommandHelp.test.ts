import type { Command } from "commander"
import { describe, expect, it } from "vitest"
import { program } from "../../src/Program.ts"
import { addOperationCommands } from "../../src/operation/AddCommands.ts"
import { commandEntries } from "../../src/command/Commands.ts"
import { operations } from "../../src/operation/generated/operations.ts"
import { fakeTerminal, runOn } from "../FakeTerminal.ts"

const helpOf = async (words: string): Promise<string> =>
  (await runOn(fakeTerminal("/nowhere"), [...words.split(" ").filter((word) => word !== ""), "--help"])).out

const tooWide = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line.length > 80)

const optionsOf = (command: Command): ReadonlyArray<string> => command.options.map(({ long }) => long ?? "")

const find = (root: Command, words: ReadonlyArray<string>): Command | undefined =>
  words.reduce<Command | undefined>((command, word) => command?.commands.find((child) => child.name() === word), root)

describe("the help of derived commands", () => {
  it.each(operations.map(({ command }) => command))(
    "of %s has a description and an example in 80 columns",
    async (command) => {
      const help = await helpOf(command)
      expect(help).toMatch(new RegExp(`^Usage: leadloom ${command}\\b.*\\n\\n\\S+`, "u"))
      expect(help).toContain(`\n  leadloom ${command}`)
      expect(tooWide(help)).toEqual([])
    }
  )

  it("uses names that no option of the program has", () => {
    const root = program(fakeTerminal("/nowhere"), addOperationCommands)
    const globals = new Set(optionsOf(root))
    const hidden = operations.filter(({ command }) => {
      const found = find(root, command.split(" "))
      return found === undefined || optionsOf(found).some((name) => globals.has(name))
    })
    expect(hidden).toEqual([])
  })
})

describe("the help of the program", () => {
  it("lists the commands in groups", async () => {
    const help = await helpOf("")
    expect(tooWide(help)).toEqual([])
    expect(help.split("\n").length).toBeLessThan(125)
    const headings = Array.from(help.matchAll(/^(\S.*):$/gmu), ([, heading]) => heading)
    expect(headings).toEqual([
      "Options",
      "People and messages",
      "Automation",
      "Settings of a tenant",
      "Data of a tenant",
      "Server and deployment",
      "Tools",
      "Environment",
      "Exit codes",
      "Examples"
    ])
  })

  it("exists for every group", async () => {
    const groups = new Set(commandEntries(operations).map(({ command }) => command.split(" ")[0] ?? ""))
    for (const group of groups) expect(tooWide(await helpOf(group))).toEqual([])
  })
})
