import type { FolderGrant, Permission } from '../../shared/cloud/permissions.ts';

export type Person = { user_id: string; is_owner: boolean };

export type Item = {
  id: string;
  kind: 'folder' | 'file';
  parent: string | null;
  name: string;
  is_trashed: boolean;
  /** Given up for good. It stays on paper: what was trashed by itself below it is judged at its old place. */
  is_purged: boolean;
  /** Who restricted it and for whom; null where it is not. */
  restricted: { by: string; grants: FolderGrant[] } | null;
};

const RANK: Record<Permission, number> = { viewer: 0, editor: 1, manager: 2 };

/** A tree as one would write it down on paper: nothing is kept but the items, all else is looked for each time. */
export class TreeModel {
  readonly items = new Map<string, Item>();

  get(id: string): Item {
    return this.items.get(id)!;
  }

  /** The folders from one up to the root, itself first. */
  way(folder: string | null): Item[] {
    const way: Item[] = [];
    for (let at = folder; at !== null; at = this.get(at).parent) way.push(this.get(at));
    return way;
  }

  /** The folder that decides about an item, and those above that. */
  wayOf({ kind, id, parent }: Item): Item[] {
    return this.way(kind === 'folder' ? id : parent);
  }

  permission(person: Person, way: readonly Item[]): Permission | null {
    if (person.is_owner) return 'manager';
    const nearest = way.find(({ restricted }) => restricted !== null)?.restricted;
    if (!nearest) return 'editor';
    if (nearest.by === person.user_id) return 'manager';
    const given = nearest.grants.filter(
      ({ type, id }) => (type === 'user' && id === person.user_id) || (type === 'role' && id === 'member'),
    );
    const roles = given.map(({ role }) => role).sort((left, right) => RANK[right] - RANK[left]);
    return roles[0] ?? null;
  }

  may(person: Person, way: readonly Item[], needed: Permission): boolean {
    const permission = this.permission(person, way);
    return permission !== null && RANK[permission] >= RANK[needed];
  }

  isSeen(person: Person, item: Item): boolean {
    const way = this.wayOf(item);
    const isThere = !item.is_trashed && !way.some(({ is_trashed }) => is_trashed);
    return isThere && this.permission(person, way) !== null;
  }

  isSeenPlace(person: Person, folder: string | null): boolean {
    return folder === null || this.isSeen(person, this.get(folder));
  }

  children(folder: string | null): Item[] {
    return [...this.items.values()].filter(({ parent, is_trashed }) => parent === folder && !is_trashed);
  }

  named(folder: string | null, name: string, except?: string): Item | undefined {
    return this.children(folder).find((item) => item.name === name && item.id !== except);
  }

  /** The living restricted folders at and below one. */
  restrictedBelow(folder: Item): Item[] {
    const below = this.children(folder.id).filter(({ kind }) => kind === 'folder');
    return [...(folder.restricted ? [folder] : []), ...below.flatMap((each) => this.restrictedBelow(each))];
  }

  /** Whether somebody may take an item out of its place into another one. */
  mayLeave(person: Person, from: readonly Item[], to: readonly Item[]): boolean {
    const restricted = from.find((folder) => folder.restricted !== null);
    const stays = !restricted || to.includes(restricted);
    return this.may(person, from, stays ? 'editor' : 'manager');
  }
}
