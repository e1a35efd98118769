/** The advertising categories, and which of them a person reviews. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useRead } from '../../../api/api.ts';

type Category = AnswerOf<OperationOf<'/v1/categories', 'get'>>['data'][number];

/** Empty until they are loaded. */
export function useCategories(): readonly Category[] {
  return useRead(['categories'], (api, signal) => api.get('/v1/categories', { signal })).data?.data ?? [];
}

export function isRestricted(categories: readonly Category[], slug: string): boolean {
  return categories.some(category => category.slug === slug && category.policy === 'restricted');
}
