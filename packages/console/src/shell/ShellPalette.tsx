import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Palette } from "../dialog/Palette.tsx"
import { text } from "../text/Shared.ts"
import { type Command, useCommands } from "../app/Commands.ts"
import { useFoundContacts } from "../app/FindContacts.ts"
import { keyName } from "../app/Keys.ts"

const withKeyName = (command: Command): Command =>
  command.hint === undefined ? command : { ...command, hint: keyName(command.hint) }

interface ShellPaletteProps {
  /** The commands of the shell, which follow those of the page. */
  readonly commands: ReadonlyArray<Command>
  readonly onClose: () => void
}

/** The palette with all commands, the contacts that match the typed text, and the search for it. */
export const ShellPalette = ({ commands, onClose }: ShellPaletteProps) => {
  const [typed, setTyped] = useState("")
  const navigate = useNavigate()
  const offered = useCommands()
  const contacts = useFoundContacts(typed)
  const q = typed.trim()
  const search =
    q === ""
      ? []
      : [{ label: text.palette.search(q), isFound: true, pick: () => void navigate({ to: "/search", search: { q } }) }]
  return (
    <Palette
      title={text.palette.title}
      hint={text.palette.input}
      choices={[...[...offered, ...commands].map(withKeyName), ...contacts, ...search]}
      onQuery={setTyped}
      onClose={onClose}
    />
  )
}
