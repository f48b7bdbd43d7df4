import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { installLeadloom } from "../Guide.ts"

const run = promisify(execFile)

let folder = ""
beforeAll(async () => {
  folder = await makeFolder()
  installLeadloom(folder)
  await writeFile(join(folder, "rules.json"), "[]")
})
afterAll(() => removeFolder(folder))

const words = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { exitCode, out } = await runOn(fakeTerminal(folder), ["__complete", "--", ...args])
  expect(exitCode).toBe(0)
  return out.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]))
}

describe("candidates", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["commands", ["conf"], ["config"]],
    ["subcommands", ["billing", "credits", ""], ["list", "grant", "balance"]],
    ["subcommands from the contract", ["leads", "l"], ["list", "list-scores"]],
    ["choices from the contract", ["leads", "list", "--tier", ""], ["hot", "warm", "cold", "none"]],
    ["options of the command and of the program", ["tenants", "create", "--d"], ["--domain"]],
    ["options of the program before a command", ["--ad"], ["--admin-key-file", "--admin-key"]],
    ["choices of an option", ["pipeline", "dry-run", "--channel", ""], ["email", "sms", "voice", "chat", "webhook"]],
    ["choices after an equals sign", ["pipeline", "dry-run", "--channel=s"], ["--channel=sms"]],
    ["further choices of a list", ["keys", "create", "--scope", "read", "p"], ["pipeline"]],
    ["choices of an argument", ["completion", "z"], ["zsh"]],
    ["commands after options with values", ["--url", "http://a", "--json", "sess"], ["sessions"]],
    ["files for a path", ["config", "put", ""], [":files"]],
    ["files for each of several paths", ["import", "a.eml", ""], [":files"]],
    ["files for an option with a path", ["config", "check", "--env-file", ""], [":files"]],
    ["nothing for a free text", ["tenants", "create", "--name", ""], []],
    ["nothing after too many arguments", ["tenants", "get", "acme", ""], []],
    ["no options after two dashes", ["tenants", "get", "--", "-"], []],
    ["no hidden commands", ["__"], []]
  ])("are %s", async (_, given, expected) => {
    expect(await words(...given)).toEqual(expected)
  })

  it("describe commands and options on one line", async () => {
    const { out } = await runOn(fakeTerminal(folder), ["__complete", "--", "tenants", "create", "--pre"])
    expect(out).toBe("--preset\tstarting configuration\n")
  })
})

const isInstalled = (shell: string): Promise<boolean> =>
  run(shell, ["-c", "exit"]).then(
    () => true,
    () => false
  )

/** Runs a program of a shell that has loaded the completion script. */
const inShell = async (shell: string, args: ReadonlyArray<string>, program: string): Promise<string> => {
  const { out } = await runOn(fakeTerminal(folder), ["completion", shell])
  const script = join(folder, `script.${shell}`)
  await writeFile(script, out)
  const env = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, SCRIPT: script, TERM: "dumb" }
  // A shell that waits for a pattern would otherwise outlive the test.
  const { stdout } = await run(shell, [...args, "-c", program], { cwd: folder, env, timeout: 20_000 })
  return stdout
}

const bashLine = (...line: ReadonlyArray<string>): string => {
  const array = line.map((word) => `'${word}'`).join(" ")
  return `source "$SCRIPT"; COMP_WORDS=(leadloom ${array}); COMP_CWORD=${line.length}; _leadloom; echo "\${COMPREPLY[@]}"`
}

/** Types a line and the tab key in an interactive zsh, and prints the completed line. */
const zshLine = (line: string): string => `
zmodload zsh/zpty
zpty -b shell "zsh -f -i"
drain() { local text; while zpty -r -t shell text; do :; done }
type() { zpty -w shell "$1" }
type "unsetopt zle_bracketed_paste; PS1= ; stty -echo; autoload -Uz compinit; compinit -u -D; source '$SCRIPT'"
type 'show() { print -r -- "<<$BUFFER>>"; zle kill-buffer; zle accept-line }; zle -N show; bindkey "^X" show'
type 'print -r -- "<<rea""dy>>"'
zpty -r shell text '*<<ready>>*'
zpty -w -n shell $'${line}\\t\\x18'
zpty -r shell text '*<<*>>*'
print -r -- "\${\${text##*<<}%%>>*}"
zpty -d shell
`

// Each shell is optional. A skipped test names the shell that the machine lacks.
for (const shell of ["bash", "zsh", "fish"] as const) {
  const installed = await isInstalled(shell)
  describe.skipIf(!installed)(`the script of ${shell}${installed ? "" : " (not installed)"}`, () => {
    const complete: Readonly<Record<typeof shell, (line: string) => Promise<string>>> = {
      bash: async (line) => inShell("bash", ["--norc"], bashLine(...line.split(" "))),
      zsh: async (line) => inShell("zsh", ["-f"], zshLine(`leadloom ${line}`)),
      fish: async (line) => inShell("fish", ["--no-config"], `source $SCRIPT; complete -C 'leadloom ${line}'`)
    }

    it("completes commands, options and choices", async () => {
      expect(await complete[shell]("webhooks redel")).toMatch(/\bredeliver\b/u)
      expect(await complete[shell]("tenants create --pre")).toMatch(/--preset\b/u)
      expect(await complete[shell]("pipeline dry-run --channel webh")).toMatch(/\bwebhook\b/u)
    })

    it("completes files where a path is expected", async () => {
      const line = "backtest --rules rul"
      if (shell === "bash") {
        const program = `compopt() { echo "compopt $*"; }; ${bashLine(...line.split(" "))}`
        expect(await inShell("bash", ["--norc"], program)).toContain("compopt -o default")
      } else expect(await complete[shell](line)).toContain("rules.json")
    })
  })
}

describe("the script of bash", () => {
  it("completes a choice after an equals sign, which bash splits", async () => {
    expect(await inShell("bash", ["--norc"], bashLine("pipeline", "dry-run", "--channel", "=", "sm"))).toBe("sms\n")
    expect(await inShell("bash", ["--norc"], bashLine("completion", "="))).toContain("bash zsh fish")
  })

  it("does not execute the words that a user types", async () => {
    const typed = bashLine("tenants", "$(touch executed)", "")
    await inShell("bash", ["--norc"], typed)
    await expect(run("ls", [join(folder, "executed")])).rejects.toThrow("No such file")
  })
})
