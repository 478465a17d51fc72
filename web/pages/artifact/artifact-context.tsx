/** Where an artifact comes from and what it is joined to. */
import { Link } from '@tanstack/react-router';
import { Section } from '../../kit/layout.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';

type Shown = OutputOf<'artifact.show'>;

const quietLink = 'text-ink decoration-line-strong underline-offset-2 hover:underline';

export function ArtifactContext({ artifact }: { readonly artifact: Shown }) {
  const { project, produced_by: producers, history, linksTo, linkedFrom } = artifact;
  return (
    <>
      {producers.length > 0 && (
        <Section title="Came out of">
          <ul className="flex flex-col gap-2 text-13">
            {producers.map((producer) => (
              <li key={`${producer.kind}-${producer.id}`}>
                <SubjectLink project={project} subject={producer} className={quietLink}>
                  {producer.title}
                </SubjectLink>
                <span className="block text-12 text-faint">{producer.kind}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Links title="Names" project={project} links={linksTo} />
      <Links title="Named by" project={project} links={linkedFrom} />
      <Fields frontmatter={artifact.frontmatter} />
      <History project={project} history={history} />
    </>
  );
}

function Links({
  title,
  project,
  links,
}: {
  readonly title: string;
  readonly project: string;
  readonly links: Shown['linksTo'];
}) {
  if (links.length === 0) return null;
  return (
    <Section title={title} count={links.length}>
      <ul className="flex flex-col gap-2 text-13">
        {links.map(({ path, title: name, exists, where }) => (
          <li key={path} title={`${path} (${where.join(', ')})`}>
            {exists ? (
              <Link to="/projects/$project/artifacts/$" params={{ project, _splat: path }} className={quietLink}>
                {name ?? path}
              </Link>
            ) : (
              <span className="text-soft">
                <span className="text-failed">▲</span> {path} <span className="text-12 text-faint">is not there</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Said elsewhere on the page already. */
const shownElsewhere = new Set(['title', 'date', 'status', 'related', 'referenced_artifacts', 'linked_artifacts']);

function Fields({ frontmatter }: { readonly frontmatter: Shown['frontmatter'] }) {
  const fields = Object.entries(frontmatter).filter(
    ([name, value]) => !shownElsewhere.has(name) && sayValue(value) !== '',
  );
  if (fields.length === 0) return null;
  return (
    <Section title="Fields">
      <dl className="flex flex-col gap-2 text-13">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt className="text-12 text-faint">{name.replaceAll('_', ' ')}</dt>
            <dd className="line-clamp-3" title={sayValue(value)}>
              {sayValue(value)}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function sayValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const words = value.filter((each) => typeof each === 'string' || typeof each === 'number');
    return words.length === value.length ? words.join(', ') : `${value.length} entries`;
  }
  return typeof value === 'object' ? '' : String(value);
}

function History({ project, history }: { readonly project: string; readonly history: Shown['history'] }) {
  if (history.length === 0) return null;
  return (
    <Section title="History">
      <ol className="flex flex-col gap-3 text-13">
        {history.map(({ commit, at, author, subject, activity }) => (
          <li key={commit} className="flex flex-col">
            {activity === null ? (
              <span>{subject}</span>
            ) : (
              <SubjectLink project={project} subject={activity} className={quietLink}>
                {subject}
              </SubjectLink>
            )}
            <span className="flex gap-2 text-12 text-faint">
              <code className="font-mono whitespace-nowrap">{commit}</code>
              <span className="truncate">{author}</span>
              <TimeAgo at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
