"""Adapters for JAX. The only module that imports jax."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp


def unpack_bits(bits: Any, planes: int) -> Any:
    """Expand bits (`features.dlshogi` with ``dtype="bits"``) to planes of f4 on the device of the bits.

    ``[n,628]`` and 62 planes give ``[n,62,9,9]``. ``[n,8]`` and 57 planes give ``[n,57,9,9]``, each plane all ones or all zeros.
    Inside ``jax.jit`` the number of planes is static.
    """
    bits = jnp.asarray(bits, jnp.uint8)
    shifts = jnp.arange(8, dtype=jnp.uint8)
    flat = ((bits[..., None] >> shifts) & 1).reshape(len(bits), 8 * bits.shape[1]).astype(jnp.float32)
    if flat.shape[1] >= planes * 81:
        return flat[:, : planes * 81].reshape(len(bits), planes, 9, 9)
    return jnp.broadcast_to(flat[:, :planes, None, None], (len(bits), planes, 9, 9))
