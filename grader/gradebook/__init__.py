"""Keeps attempts and decides who may submit."""
