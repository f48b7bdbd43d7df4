import { isLeadloomError, type Rule } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { ruleText } from "../text/Rules.ts"
import { readRules, type RuleSet, rulesOptions, textOfRules } from "./Config.ts"

/** The edited rules, and the version from which the edit started. */
export interface Draft {
  readonly base: RuleSet
  readonly rules: ReadonlyArray<Rule>
  readonly isChanged: boolean
  readonly isSaving: boolean
  /** Why the server rejected the rules; null: it did not. */
  readonly error: Error | null
  /** The newer version that another person has saved; null: none. */
  readonly conflict: RuleSet | null
  readonly change: (rules: ReadonlyArray<Rule>) => void
  readonly save: (comment: string) => void
  /** Continues with the rules of this version. */
  readonly restart: (saved: RuleSet) => void
  /** Continues with the edited rules on a newer version. */
  readonly rebase: (newer: RuleSet) => void
}

const isConflict = (error: unknown): boolean => isLeadloomError(error, "PRECONDITION_FAILED", "CONFLICT")

/** Keeps the edited rules. A save that another person has preceded changes nothing and keeps the edit. */
export const useDraft = (stored: RuleSet): Draft => {
  const connection = useConnection()
  const queries = useQueryClient()
  const [base, setBase] = useState(stored)
  const [rules, setRules] = useState(stored.rules)
  const [conflict, setConflict] = useState<RuleSet | null>(null)
  const restart = (saved: RuleSet): void => {
    queries.setQueryData(rulesOptions(connection).queryKey, saved)
    setBase(saved)
    setRules(saved.rules)
    setConflict(null)
  }
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: async (comment: string): Promise<RuleSet> => {
      const options = { ifMatch: base.version, comment }
      const { version } = await connection.client.config.update(connection.tenantId, { rules }, options)
      return { version, rules }
    },
    onSuccess: (saved) => {
      restart(saved)
      void queries.resetQueries({ queryKey: [connection.tenantId, "rules", "history"] })
      noticeSuccess(ruleText.saved(saved.version))
    },
    onError: async (reason) => {
      if (isConflict(reason)) setConflict(await readRules(connection))
    }
  })
  return {
    base,
    rules,
    isChanged: textOfRules(rules) !== textOfRules(base.rules),
    isSaving: isPending,
    error: isConflict(error) ? null : error,
    conflict,
    change: (next) => {
      reset()
      setRules(next)
    },
    save: mutate,
    restart,
    rebase: (newer) => {
      setBase(newer)
      setConflict(null)
    }
  }
}
