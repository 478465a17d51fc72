/** In full on hover; the end of it tells the branches apart. */
export function BranchName({ name }: { readonly name: string }) {
  return (
    <span title={name} className="min-w-0 truncate font-mono text-12 [direction:rtl] max-phone:hidden">
      <bdi>{name}</bdi>
    </span>
  );
}
