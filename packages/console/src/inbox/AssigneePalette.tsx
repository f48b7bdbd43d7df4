import type { ConversationChange, TeamId } from "@leadloom/client"
import { useConnection } from "../app/Connection.ts"
import { useTeamNames, useUserNames } from "../app/Users.ts"
import { type Choice, Palette } from "../dialog/Palette.tsx"
import { inboxText } from "../text/Inbox.ts"

interface AssigneePaletteProps {
  /** Who has the conversation now. Absent for several conversations, which may differ. */
  readonly current?: { readonly assignee_id: string | null; readonly team_id: string | null }
  readonly onChoose: (change: ConversationChange) => void
  readonly onClose: () => void
}

/** Assigns conversations to a user or a team, or removes the assignment. */
export const AssigneePalette = ({ current, onChoose, onClose }: AssigneePaletteProps) => {
  const { userId } = useConnection()
  const users = [...useUserNames()].toSorted(([one], [other]) => Number(other === userId) - Number(one === userId))
  const teams = [...useTeamNames()]
  const words = inboxText.assign
  const choices: ReadonlyArray<Choice> = [
    ...users.map(([id, name]) => ({
      id,
      label: id === userId ? words.me(name) : name,
      ...(id === current?.assignee_id ? { hint: words.now } : {}),
      pick: () => onChoose({ assignee_id: id })
    })),
    ...teams.map(([id, name]) => ({
      id,
      label: words.team(name),
      ...(id === current?.team_id ? { hint: words.now } : {}),
      pick: () => onChoose({ team_id: id as TeamId })
    })),
    ...(current?.assignee_id === null ? [] : [{ label: words.nobody, pick: () => onChoose({ assignee_id: null }) }]),
    ...(current?.team_id === null || teams.length === 0
      ? []
      : [{ label: words.noTeam, pick: () => onChoose({ team_id: null }) }])
  ]
  return <Palette title={words.title} choices={choices} onClose={onClose} />
}
