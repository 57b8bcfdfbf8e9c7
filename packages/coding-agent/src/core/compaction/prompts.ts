/** What a summarising model is told. */

export const SUMMARY_SYSTEM_PROMPT =
  "You write summaries of conversations between a person and a coding agent. You never take part in the conversation, " +
  "never answer what it asks and never call tools. Your whole reply is the summary in the form that is asked for.";

const SECTIONS = `## Goal
What the person wants to reach.

## Constraints & Preferences
Rules, limits and wishes that were stated.

## Progress
### Done
Work that is finished.
### In Progress
Work that has begun.
### Blocked
What cannot go on, and why.

## Key Decisions
What was decided, and the reason.

## Next Steps
What comes next, in order.`;

const CRITICAL_CONTEXT = `

## Critical Context
Facts without which the work cannot go on: data, references, results.`;

const EXACTNESS =
  "Write paths, names of functions, commands and error texts exactly as they stand in the conversation. Be brief.";

export const FIRST_SUMMARY_INSTRUCTIONS = `Summarise the conversation above so that somebody else can go on with the work. Use exactly these sections:

${SECTIONS}${CRITICAL_CONTEXT}

${EXACTNESS}`;

export const UPDATE_SUMMARY_INSTRUCTIONS = `The text in <previous-summary> covers what happened before the conversation above. Bring it up to date, with the same sections:

${SECTIONS}${CRITICAL_CONTEXT}

Keep every fact of the previous summary that still holds and add what is new. Move finished work to Done. Rewrite Next Steps for the present state. ${EXACTNESS}`;

export const BRANCH_SUMMARY_INSTRUCTIONS = `Summarise the conversation above: it is a branch that is being left, and its results may be needed elsewhere. Use exactly these sections:

${SECTIONS}

${EXACTNESS}`;

export const TURN_PREFIX_INSTRUCTIONS = `The conversation above is the beginning of one long turn; its end is kept word for word and follows your summary. Use exactly these sections:

## Original Request
What the person asked for in this turn.

## Progress So Far
What was done and decided in this beginning.

## Context Needed to Continue
What the kept end relies on.

${EXACTNESS}`;

/** A wish of the user about what matters. */
export function focusLine(customInstructions: string | undefined): string {
  return customInstructions ? `\n\nPay special attention to: ${customInstructions}` : "";
}
