import type { Command } from "commander"
import { environmentVariables, exitMeanings } from "../src/Epilogue.ts"
import { examplesOf } from "../src/Help.ts"
import { addOperationCommands } from "../src/operation/AddCommands.ts"
import { program, version } from "../src/Program.ts"
import { processTerminal } from "../src/Terminal.ts"
import { leaves, titleOf } from "./Leaves.ts"

/** Escapes a text for roff. Requests begin with a dot or an apostrophe at the start of a line. */
const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gmu, "\\&")

/** Capitalises a sentence, unless it begins with a value such as `sqlite:<file>`. */
const capitalise = (text: string): string =>
  text.replace(/^[a-z](?=[a-z]*(?:[ ;,]|$))/u, (letter) => letter.toUpperCase())

const paragraphs = (pairs: ReadonlyArray<readonly [term: string, meaning: string]>): ReadonlyArray<string> =>
  pairs.flatMap(([term, meaning]) => [".TP", `\\fB${escape(term)}\\fR`, escape(capitalise(meaning))])

const optionsOf = (command: Command): ReadonlyArray<string> => {
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help")
  return paragraphs(options.map((option) => [option.flags, help.optionDescription(option)] as const))
}

const examplesIn = (command: Command): ReadonlyArray<string> => {
  const lines = examplesOf(command)
  return lines.length === 0 ? [] : [".PP", ".nf", ...lines.map(escape), ".fi"]
}

const section = (command: Command): ReadonlyArray<string> => [
  `.SS ${escape(titleOf(command))}`,
  escape(`${capitalise(command.description())}.`),
  ...optionsOf(command),
  ...examplesIn(command)
]

/** Returns the manual page `leadloom(1)` in the format of man(7). */
export const manualPage = (): string => {
  const root = program(processTerminal(), addOperationCommands)
  return [
    `.\\" Generated from the commands in packages/cli/src/command and from the contract by npm run generate. Do not edit.`,
    `.TH LEADLOOM 1 "" "leadloom ${version}" "User Commands"`,
    ".SH NAME",
    "leadloom \\- server and command line of Leadloom",
    ".SH SYNOPSIS",
    "\\fBleadloom\\fR [\\fIoptions\\fR] \\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]",
    ".SH DESCRIPTION",
    escape(root.description()),
    ...examplesIn(root),
    ".SH OPTIONS",
    "These options apply to every command.",
    ...optionsOf(root),
    ".SH COMMANDS",
    ...leaves(root).flatMap(section),
    ".SH ENVIRONMENT",
    ...paragraphs(environmentVariables),
    ".SH EXIT STATUS",
    ...paragraphs(exitMeanings.map(([code, meaning]) => [String(code), meaning] as const)),
    ".SH FILES",
    ...paragraphs([["~/.config/leadloom/profiles.json", "named servers with their keys, for --profile"]]),
    ""
  ].join("\n")
}
