"""Adapters for JAX. The only module that imports jax."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp


def unpack_bits(bits: Any, planes: int) -> Any:
    """Expand bits (`features.dlshogi` with ``dtype="bits"``) to planes of f4 on the device of the bits.

    Parameters
    ----------
    bits
        u1[n,628], or u1[n,8], whose planes are all ones or all zeros.
    planes
        The number of planes: 62, or 57. Inside ``jax.jit`` it is static.

    Returns
    -------
    jax.Array
        f4[n,planes,9,9].

    Raises
    ------
    TypeError
        For what is not an array of bytes.

    Examples
    --------
    >>> import numpy
    >>> from komabako.jax import unpack_bits
    >>> tuple(unpack_bits(numpy.zeros((1, 628), numpy.uint8), 62).shape)
    (1, 62, 9, 9)
    """
    bits = jnp.asarray(bits, jnp.uint8)
    shifts = jnp.arange(8, dtype=jnp.uint8)
    flat = ((bits[..., None] >> shifts) & 1).reshape(len(bits), 8 * bits.shape[1]).astype(jnp.float32)
    if flat.shape[1] >= planes * 81:
        return flat[:, : planes * 81].reshape(len(bits), planes, 9, 9)
    return jnp.broadcast_to(flat[:, :planes, None, None], (len(bits), planes, 9, 9))
