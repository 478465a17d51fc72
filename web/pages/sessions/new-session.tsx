/** Beginning a session: with which agent, and the first words. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SessionAgent } from '../../../src/features/sessions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { withCommands } from '../../kit/states.tsx';
import { handOverSession } from '../../state/agent-session.ts';
import { inBackground } from '../../state/background.ts';
import { readDraft, writeDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import type { InputOf } from '../../state/operations.ts';
import { FirstWords } from './chat/first-words.tsx';

export interface NewSessionProps {
  readonly project: string;
  /** Nobody has begun one here yet. */
  readonly teaches: boolean;
}

const agentKey = 'session.agent';
const firstTry = '/rsrc ';

export function NewSession({ project, teaches }: NewSessionProps) {
  const away = useAwayReason();
  const navigate = useNavigate();
  const { data } = useRead('session.agents', {});
  const making = useAct('session.new');
  const [chosen, setChosen] = useState(() => readDraft(agentKey));
  const [given, setGiven] = useState(0);
  const agents = data?.agents ?? [];
  const agent = agents.find(({ name }) => name === chosen) ?? agents.find(({ name }) => name === data?.default);
  const draftKey = `session.new.${project}`;
  const begin = async (input: InputOf<'session.new'>) => {
    const view = await making.act(input);
    if (view === undefined) return false;
    handOverSession(view);
    inBackground(
      navigate({ to: '/projects/$project/sessions/$id', params: { project, id: view.session.id }, search: {} }),
    );
    return true;
  };
  const clearRefusal = () => {
    // What was refused were other words: these are asked about anew.
    if (making.problem) making.clear();
  };
  const suggest = () => {
    clearRefusal();
    const written = readDraft(draftKey);
    // What was written stays, behind the command.
    if (!written.startsWith(firstTry)) writeDraft(draftKey, firstTry + written);
    setGiven(given + 1);
  };
  return (
    <section aria-label="A new session" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <h2 className="min-w-0 flex-1 font-serif text-18 font-semibold">Begin a session</h2>
        {agents.length > 1 && (
          <div className="w-56 max-phone:w-full">
            <SelectField
              label="Agent"
              value={agent?.name ?? ''}
              onChange={(name) => {
                setChosen(name);
                writeDraft(agentKey, name);
              }}
              options={agents.map(({ name, title, isInstalled }) => ({
                value: name,
                label: isInstalled === false ? `${title}, not installed` : title,
              }))}
            />
          </div>
        )}
      </div>
      {agent?.isInstalled === false && <Missing agent={agent} />}
      <FirstWords
        key={given}
        draftKey={draftKey}
        label="What should it do?"
        placeholder="What should it do? Type / for what it knows."
        isBusy={making.isBusy}
        blockedBecause={away ?? (agent?.isInstalled === false ? `${agent.title} is not installed` : undefined)}
        onSubmit={({ text, images, allowSecrets }) =>
          begin({
            project,
            prompt: text,
            images,
            ...(agent && { agent: agent.name }),
            ...(allowSecrets && { allowSecrets }),
          })
        }
        onEdit={clearRefusal}
        renderRefusal={(onAllow) =>
          making.problem && (
            <Refusal
              facts={making.problem}
              allowLabel="Send it all the same"
              isBusy={making.isBusy}
              onAllow={onAllow}
            />
          )
        }
      />
      <Hint teaches={teaches} onSuggest={suggest} />
    </section>
  );
}

function Missing({ agent: { title, hint } }: { readonly agent: SessionAgent }) {
  return (
    <p role="note" className="rounded-md bg-waiting-wash px-3 py-2 text-13 text-ink">
      {title} is not on this machine. {withCommands(hint)}
    </p>
  );
}

function Hint({ teaches, onSuggest }: { readonly teaches: boolean; readonly onSuggest: () => void }) {
  const isRehearsal = useRead('overview', {}).data?.model.isRehearsal ?? false;
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-2 text-13 text-soft">
      <Button tone="quiet" onClick={onSuggest} className="-ml-3">
        Try /rsrc and a name
      </Button>
      <p className="min-w-[16rem] flex-1">
        It researches something to be built, and its answer ends in a button for the next phase: requirements,
        architecture, tasks, waves, code. Each phase is a session of its own; together they are one spec.
        {teaches && isRehearsal && ' The rehearsal plays all of it, without a model and without cost.'}
      </p>
    </div>
  );
}
