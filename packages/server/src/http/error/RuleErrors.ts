import { Conflict, NotFound } from "@leadloom/api/internal/errors"
import type { RuleExists, RuleNotFound } from "@leadloom/core/internal/domain/rule/RuleList"

/** Maps errors about single rules to wire errors. */
export const ruleErrors = {
  RuleNotFound: ({ ruleId }: RuleNotFound) => NotFound.of(`There is no rule ${ruleId}.`),
  RuleExists: ({ ruleId }: RuleExists) =>
    Conflict.of(`The tenant already has a rule ${ruleId}. Choose another id, or change that rule with PATCH.`, {
      rule_id: ruleId
    })
} as const
