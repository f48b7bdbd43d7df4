/** Checks the help of every command. Its examples are also the code blocks of `docs/reference/cli.md`. */
import type { Command } from "commander"
import { describe, expect, it } from "vitest"
import { readWords } from "../src/CommandLine.ts"
import { pathOf, visibleChildren } from "../src/Help.ts"
import { addOperationCommands } from "../src/operation/AddCommands.ts"
import { program } from "../src/Program.ts"
import { type FakeTerminal, fakeTerminal, type Ran, runOn } from "./FakeTerminal.ts"

const terminal = (): FakeTerminal => fakeTerminal("/nowhere")

const withChildren = (command: Command): ReadonlyArray<Command> => [
  command,
  ...visibleChildren(command).flatMap(withChildren)
]
const root = program(terminal(), addOperationCommands)
const commands = withChildren(root).map(pathOf)

const helpOf = (path: string): Promise<Ran> =>
  runOn(terminal(), [...path.split(" ").filter((word) => word !== ""), "--help"])

/** Splits the command line of an example into words. A line that ends with a backslash continues. */
const wordsOf = (example: string): ReadonlyArray<string> =>
  Array.from(
    example.replaceAll(/\\\n/gu, " ").matchAll(/'(?<quoted>[^']*)'|(?<bare>[^\s']+)/gu),
    ({ groups }) => groups?.["quoted"] ?? groups?.["bare"] ?? ""
  )

const examplesIn = (help: string): ReadonlyArray<string> => {
  const [, block = ""] = help.split(/^Examples?:\n/mu)
  const [own = ""] = block.split(/\n\n/u)
  return own.split(/\n {2}(?! )/u).map((line) => line.trim())
}

/** Returns the arguments of `leadloom` in an example, without pipes and redirections. */
const leadloomArguments = (example: string): ReadonlyArray<string> => {
  const [before = ""] = (example.split(" | ").find((part) => part.includes("leadloom ")) ?? example).split(/ [<>] /u)
  const words = wordsOf(before)
  return words.slice(words.indexOf("leadloom") + 1)
}

describe("the help of every command", () => {
  it("covers the whole program", () => {
    expect(commands.length).toBeGreaterThan(70)
    expect(commands).toEqual(expect.arrayContaining(["", "config", "config put", "billing credits grant"]))
  })

  it.each(commands)("of `leadloom %s` fits 80 columns and has an example", async (path) => {
    const { exitCode, out } = await helpOf(path)
    expect(exitCode).toBe(0)
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([])
    expect(out).toMatch(/^Examples?:\n {2}(?:\S.*)?leadloom /mu)
  })

  it.each(commands)("of `leadloom %s` has valid examples of this command", async (path) => {
    const isGroup = visibleChildren(readWords(root, path.split(" ")).command).length > 0
    for (const example of examplesIn((await helpOf(path)).out)) {
      const args = leadloomArguments(example)
      const { command } = readWords(root, args)
      if (isGroup) expect(pathOf(command).startsWith(path)).toBe(true)
      else expect(pathOf(command)).toBe(path)
      // Commander checks options, choices and arguments before it prints the help of an unknown command.
      const { unknown } = command.parseOptions(args.slice(pathOf(command).split(" ").length))
      const option = unknown.find((word) => word.startsWith("-"))
      expect(option ?? "").toMatch(/^$|^-$|^--(?:json|env-file|url|profile|(?:admin|api)-key(?:-file)?)\b/u)
    }
  })
})
